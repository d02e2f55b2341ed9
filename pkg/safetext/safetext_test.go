package safetext_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

func TestCut(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		most         int
		want         string
	}{
		"Short":   {"what fits stays", "abc", 3, "abc"},
		"Long":    {"the mark is not part of the bound", "abcd", 3, "abc..."},
		"Half":    {"a character is whole or not there", "aöb", 2, "a..."},
		"Whole":   {"here it fits", "aöb", 3, "aö..."},
		"Nothing": {"there may be room for none", "ö", 1, "..."},
		"Zero":    {"or no room at all", "ab", 0, "..."},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, safetext.Cut(tc.text, tc.most, "...")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestEscape(t *testing.T) {
	if got := safetext.Escape("a\nb\r\n\xff\tö"); got != `a\nb\r\n`+"\uFFFD\tö" {
		t.Errorf("%q", got)
	}
}

func TestSingleLine(t *testing.T) {
	if got := safetext.SingleLine(" a\n\tb\x1b[31mc\xff\u200b  dd ", 12); got != "a b[31mc? dd" {
		t.Errorf("%q", got)
	}
	if got := safetext.SingleLine("a  bcd", 3); got != "a b..." {
		t.Errorf("%q", got)
	}
}

func TestReplaceWord(t *testing.T) {
	cases := map[string]struct{ reason, text, word, want string }{
		"Alone":    {"the whole text", "edge-1", "edge-1", "*"},
		"Inside":   {"between other characters than letters and digits", "https://api.edge-1.example.com/edge-1?x=edge-1", "edge-1", "https://api.*.example.com/*?x=*"},
		"Longer":   {"another word that begins or ends with it", "edge-12 ledge-1 edge-1ö", "edge-1", "edge-12 ledge-1 edge-1ö"},
		"Twice":    {"one directly after the other", "a-a aa", "a", "*-* aa"},
		"Scripts":  {"words beyond ASCII", "é-é", "é", "*-*"},
		"Nothing":  {"the empty word is nowhere", "a b", "", "a b"},
		"Not":      {"nowhere", "a b", "c", "a b"},
		"Compound": {"the name of a part is the name, too", "web-edge-1-0", "edge-1", "web-*-0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := safetext.ReplaceWord(tc.text, tc.word, "*"); got != tc.want {
				t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}
