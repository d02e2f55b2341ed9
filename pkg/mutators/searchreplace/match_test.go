package searchreplace

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestPathIsARegularExpression holds the step-by-step matcher to what the documentation says of
// stars, for names without items.
func TestPathIsARegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", "**"}), 1, 5).Draw(t, "pattern")
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a.b"}), 1, 5).Draw(t, "keys")
		p, err := parsePath(strings.Join(steps, "."))
		if err != nil {
			t.Fatal(err)
		}
		at := p.start()
		for _, key := range keys {
			at = p.field(at, key)
		}
		expr := strings.NewReplacer("**.", "([^.]+[.])*", "*.", "[^.]+[.]").Replace(strings.Join(steps, ".") + ".")
		want := regexp.MustCompile("^" + expr + "$").MatchString(strings.Join(keys, ".") + ".")
		if got := p.matches(at); got != want {
			t.Fatalf("%q matches %q is %t, want %t", steps, keys, got, want)
		}
	})
}

func TestPath(t *testing.T) {
	cases := map[string]struct {
		reason, pattern, key string
		items                []int
		want                 bool
	}{
		"item":         {"an item is named by its number", "a[1]", "a", []int{1}, true},
		"other item":   {"by that number alone", "a[1]", "a", []int{11}, false},
		"any item":     {"or by a star", "a[*]", "a", []int{7}, true},
		"any name":     {"also below any field", "*[0]", "a", []int{0}, true},
		"list":         {"a list is none of its items", "a[*]", "a", nil, false},
		"item of list": {"nor an item the list", "a", "a", []int{0}, false},
		"star":         {"any step is also an item", "*", "a", []int{0}, true},
		"stars":        {"so are any number of them", "**", "a", []int{0}, true},
		"nested":       {"items of lists in lists", "a[0][1]", "a", []int{0, 1}, true},
		"nested other": {"each has its number", "a[0][1]", "a", []int{0, 2}, false},
		"nested outer": {"the outer item means all that is in it", "a[0]", "a", []int{0, 2}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := parsePath(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			at := p.field(p.start(), c.key)
			for _, i := range c.items {
				at = p.item(at, i)
			}
			if p.matches(at) != c.want {
				t.Errorf("%s: want %t", c.reason, c.want)
			}
		})
	}
}

func TestPathsThatAreNone(t *testing.T) {
	cases := map[string]struct{ reason, pattern, want string }{
		"empty step": {"two dots have nothing between them", "a..b", `step "": want a field, field[0], field[*], * or **`},
		"open":       {"a bracket is closed", "a[0", `step "a[0": want a field, field[0], field[*], * or **`},
		"no item":    {"brackets name an item", "a[]", `step "a[]": want a field, field[0], field[*], * or **`},
		"long":       {"paths are bounded", strings.Repeat("a.", 60) + "a", "has 61 steps, more than the 60 allowed"},
	}
	for name, c := range cases {
		_, err := parsePath(c.pattern)
		if err == nil {
			t.Errorf("%s: %s: no error", name, c.reason)
			continue
		}
		if d := cmp.Diff(c.want, err.Error()); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}

func TestGlob(t *testing.T) {
	cases := map[string]struct {
		reason, pattern string
		yes, no         []string
	}{
		"text":        {"other characters are themselves", "a+b.yaml", []string{"a+b.yaml"}, []string{"aab.yaml", "a+bxyaml", "x/a+b.yaml"}},
		"star":        {"within one directory", "a/*.yaml", []string{"a/.yaml", "a/x.yaml"}, []string{"a/b/x.yaml", "x.yaml"}},
		"dirs first":  {"any directories, none as well", "**/x", []string{"x", "a/x", "a/b/x"}, []string{"xx", "a/xx"}},
		"dirs middle": {"between two steps", "a/**/x", []string{"a/x", "a/b/x", "a/b/c/x"}, []string{"ax", "x"}},
		"dirs last":   {"all that is below, and itself", "a/**", []string{"a", "a/b", "a/b/c"}, []string{"ab"}},
		"all":         {"everything", "**", []string{"a", "a/b", ""}, nil},
		"not a step":  {"two stars that are no step are one", "a/**.txt", []string{"a/b.txt"}, []string{"a/b/c.txt"}},
		"one":         {"one character", "?.y", []string{"a.y", "ä.y"}, []string{".y", "/.y", "aa.y"}},
		"class":       {"one of several characters", "[a-c^]", []string{"b", "^"}, []string{"d", "a-"}},
		"not class":   {"none of them, and no slash", "[!a]", []string{"b"}, []string{"a", "/"}},
		"caret":       {"the same, spelled otherwise", "[^a]", []string{"b"}, []string{"a"}},
		"either":      {"one of several texts", "{a,b/*}.y", []string{"a.y", "b/c.y"}, []string{"c.y"}},
		"nested":      {"also in each other", "{a,{b,c}d}", []string{"a", "bd", "cd"}, []string{"b"}},
		"escaped":     {"a backslash takes away the meaning", `\*\{`, []string{"*{"}, []string{"a{"}},
		"no brace":    {"what closes nothing is text", "a},", []string{"a},"}, []string{"a"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			re, err := compileGlob(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.yes {
				if !re.MatchString(s) {
					t.Errorf("%s: want %q (as %s)", c.reason, s, re)
				}
			}
			for _, s := range c.no {
				if re.MatchString(s) {
					t.Errorf("%s: do not want %q (as %s)", c.reason, s, re)
				}
			}
		})
	}
}

// FuzzGlob: a pattern that is read means at least what its own escaped spelling means.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"**/a", "{a,b}", "[!a-z]", `\*`, "a**b", "[", "{", "\\", "\xff", "[[:alpha:]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := compileGlob(s); err != nil {
			return // refused, not a panic
		}
		var escaped strings.Builder
		for _, r := range s {
			escaped.WriteString(`\` + string(r))
		}
		if escaped.Len() > longest {
			return // than any pattern may be
		}
		re, err := compileGlob(escaped.String())
		if err != nil || !re.MatchString(strings.ToValidUTF8(s, "\uFFFD")) && strings.ToValidUTF8(s, "") == s {
			t.Errorf("%q escaped does not match itself: %v", s, err)
		}
	})
}
