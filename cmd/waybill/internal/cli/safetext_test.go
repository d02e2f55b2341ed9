package cli

import (
	"io"
	"strings"
	"testing"
)

// TestPrintInert prints what is harmless as every other command does.
func TestPrintInert(t *testing.T) {
	data := map[string]any{"a": "b: c", "list": []string{"x", "ä €\n"}, "n": 1}
	for _, format := range []string{"json", "yaml"} {
		var want, got strings.Builder
		if err := (&Printer{Format: format}).Print(&want, data, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := PrintSafe(&got, format, data); err != nil || got.String() != want.String() {
			t.Errorf("%v: %s, want %s", err, &got, &want)
		}
	}
}

func TestWithoutCommands(t *testing.T) {
	for text, want := range map[string]string{"::error::x\n": "\\u003a:error::x\n", "a\n  ::x::\n": "a\n  \\u003a:x::\n", "a::b\n": "a::b\n", "x ##[error]": `x #\u0023[error]`, "": "", "##vso[x]": `#\u0023vso[x]`} {
		var b strings.Builder
		err := WithoutCommands(&b, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		if err != nil || b.String() != want {
			t.Errorf("%q: %q, %v", text, &b, err)
		}
	}
}

// FuzzInert holds what people read to one line per line, without anything that a terminal acts upon.
func FuzzInert(f *testing.F) {
	for _, text := range []string{"plain", "\x1b[2J", "\x9b1m", "a\tb\r", "\u202egnp.exe", "\xff\xfe", `say "hi"\n`, "ü\nß"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := SafeText(text)
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q has other lines than %q", got, text)
		}
		for _, r := range strings.ReplaceAll(got, "\n", "") {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0xfeff {
				t.Errorf("%q holds %q", got, r)
			}
		}
		if SafeText(got) != got {
			t.Errorf("%q is changed again", got)
		}
	})
}
