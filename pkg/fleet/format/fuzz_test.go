package format_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
)

// previewOfWords is a preview with untrusted words.
func previewOfWords(word string) *waybill.FleetPreview {
	field := waybill.PreviewField{Field: word, Change: "changed", From: &word, To: &word}
	return &waybill.FleetPreview{
		Summary: waybill.PreviewSummary{Clusters: 1, Changed: 1, Joined: []string{word}, Left: []string{word}},
		Groups: []waybill.PreviewGroup{{
			Change: "changed", Object: waybill.PreviewObject{Kind: word, Namespace: word, Name: word}, Clusters: 1,
			Shapes: []waybill.PreviewShape{{Fields: []waybill.PreviewField{field}, Clusters: []string{word}, File: word}},
		}},
	}
}

// FuzzInert wants the same lines, tags and annotations for all words in a preview.
func FuzzInert(f *testing.F) {
	for _, word := range []string{"x", hostile, "", "\x00", "\xff", "%0A::error::", "a\nb", "-->", "&lt;", "```"} {
		f.Add(word)
	}
	plain := previewOfWords("x")
	f.Fuzz(func(t *testing.T, word string) {
		p := previewOfWords(word)
		for _, form := range forms[:4] {
			var got, want bytes.Buffer
			if err := form.tell(&got, p); err != nil {
				t.Fatal(err)
			}
			if err := form.tell(&want, plain); err != nil {
				t.Fatal(err)
			}
			for _, sign := range []string{"\n", "\r", "\x1b"} {
				if strings.Count(got.String(), sign) != strings.Count(want.String(), sign) {
					t.Errorf("%s of %q has more or less of %q:\n%s", form.ending, word, sign, &got)
				}
			}
			if strings.ContainsFunc(got.String(), func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }) {
				t.Errorf("%s of %q has what does not print: %q", form.ending, word, &got)
			}
			if form.ending == "md" && (strings.Count(got.String(), "<") != strings.Count(want.String(), "<") || strings.ContainsAny(got.String(), "@`*_")) {
				t.Errorf("%q makes markup:\n%s", word, &got)
			}
		}
		var sarif bytes.Buffer
		if err := format.SARIF(&sarif, p); err != nil || !json.Valid(sarif.Bytes()) {
			t.Errorf("%q is no SARIF: %v", word, err)
		}
	})
}
