package safetext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestVisible(t *testing.T) {
	cases := map[string]struct{ reason, text, want, lines string }{
		"Usual":     {"it stays", "web-1 {a: b}", "web-1 {a: b}", "web-1 {a: b}"},
		"Letters":   {"of any language", "é שלום 🚢", "é שלום 🚢", "é שלום 🚢"},
		"Lines":     {"which are kept where they are wanted", "a\n\tb", `a\n\tb`, "a\n\tb"},
		"Terminal":  {"nothing acts", "\x1b[2J\r\x00\x7f", `\x1b[2J\r\x00\x7f`, `\x1b[2J\r\x00\x7f`},
		"Direction": {"what turns others round", "\u202egnp\u2066", `\u202egnp\u2066`, `\u202egnp\u2066`},
		"NoWidth":   {"what has no width", "a\u200b\u00ad\ufeffb", `a\u200b\u00ad\ufeffb`, `a\u200b\u00ad\ufeffb`},
		"Fillers":   {"letters that look like nothing", "\u3164\u115f\u1160\uffa0", `\u3164\u115f\u1160\uffa0`, `\u3164\u115f\u1160\uffa0`},
		"Symbols":   {"and symbols", "\u2800\U0001d159\U00016fe4", `\u2800\U0001d159\U00016fe4`, `\u2800\U0001d159\U00016fe4`},
		"Marks":     {"and marks", "a\ufe0fb\u034fc\u180bd\u17b4\U000e0100", `a\ufe0fb\u034fc\u180bd\u17b4\U000e0100`, `a\ufe0fb\u034fc\u180bd\u17b4\U000e0100`},
		"Spaces":    {"blanks that are none", "a\u00a0b\u3000c", `a\u00a0b\u3000c`, `a\u00a0b\u3000c`},
		"Bytes":     {"no UTF-8", "a\xffb\ufffd", `a\xffb\ufffd`, `a\xffb\ufffd`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff([]string{tc.want, tc.lines}, []string{Visible(tc.text), VisibleLines(tc.text)}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestShorten(t *testing.T) {
	xs := strings.Repeat("x", 300)
	cases := map[string]struct {
		reason string
		got    string
		want   string
	}{
		"Short":       {"it stays", Short("abc", 3), "abc"},
		"Cut":         {"the end goes", Short("abcd", 3), "abc…"},
		"Whole":       {"what is spelt out is not cut in two", Short("ab\u202ecd", 5), "ab…"},
		"Middle":      {"begin and end stay", Middle("abcdefghijklmnopqrstuvwxyz", 9), "abcd…wxyz"},
		"Fits":        {"nothing goes", Middle("abcdefghi", 9), "abcdefghi"},
		"Spelt":       {"in the middle, too", Middle("a\u202e\u202e\u202eb", 8), `a…b`},
		"None":        {"no text", Middle("", 9), ""},
		"Alone":       {"it differs from nobody", Distinct([]string{"a" + xs}, 9)[0], "axxx…xxxx"},
		"End":         {"it differs in its end", Distinct([]string{xs + "-1", xs + "-2"}, 10)[1], "xxxx…xxx-2"},
		"Between":     {"it differs somewhere inside", Distinct([]string{xs + "-1-" + xs, xs + "-2-" + xs}, 12)[1], "xx…x-2-xx…xx"},
		"Begin":       {"it differs in its beginning", Distinct([]string{"one" + xs, "two" + xs}, 10)[1], "twoxx…xxxx"},
		"Same":        {"the same is the same", Distinct([]string{xs + "-1", xs + "-2", xs + "-2"}, 10)[2], "xxxx…xxx-2"},
		"Beginning":   {"one begins like another that is longer", Distinct([]string{xs, xs + "-1"}, 10)[1], "xxxx…xxx-1"},
		"SeveralPart": {"whichever is nearest counts", Distinct([]string{"a" + xs + "-1", "b" + xs, "a" + xs + "-2"}, 10)[0], "axxx…xxx-1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzVisible checks laws for every text: what is visible stays so, is one line, can be seen, and is no longer than allowed.
func FuzzVisible(f *testing.F) {
	for _, text := range []string{"", "web", "\u202e\u3164\xff\ufffd", strings.Repeat("é\u200b", 200), "a\nb", strings.Repeat("x", 5000)} {
		f.Add(text, 20)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 8 + abs(most)%100
		outs := []string{Visible(text), Short(text, most), Middle(text, most), Distinct([]string{"other", text, text + "x", text}, most)[1]}
		for i, out := range outs {
			if out != Visible(out) || !utf8.ValidString(out) || strings.ContainsAny(out, "\n\r\x1b\u2800\u3164\ufe0f") {
				t.Errorf("%d: %q changes when it is made visible again", i, out)
			}
			if n := utf8.RuneCountInString(out); i > 0 && n > most+1 {
				t.Errorf("%d: %q has %d characters, want %d at most", i, out, n, most)
			}
		}
		if len([]rune(outs[0])) <= most && (outs[1] != outs[0] || outs[2] != outs[0] || outs[3] != outs[0]) {
			t.Errorf("%q is short and becomes %q", outs[0], outs[1:])
		}
		if lines := VisibleLines(text); strings.Count(lines, "\n") != strings.Count(text, "\n") || VisibleLines(lines) != lines {
			t.Errorf("%q does not keep its lines", text)
		}
		if !slices.Equal(Distinct([]string{text, "b"}, most), Distinct([]string{text, "b"}, most)) {
			t.Error("not the same the second time")
		}
	})
}

func abs(n int) int { return max(n, -n, 0) }
