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
