package transform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var pathCases = map[string]struct {
	reason string
	query  string
	want   Path
	err    string
}{
	"root":           {"the whole object parses", `$`, Path{}, ""},
	"names":          {"shorthand members", `$.spec._a1.größe`, Path{"spec", "_a1", "größe"}, ""},
	"quoted":         {"any key in quotes", `$.metadata.annotations["example.io/issued-by"]`, Path{"metadata", "annotations", "example.io/issued-by"}, ""},
	"empty key":      {"an empty key is a key", `$[""].a`, Path{"", "a"}, ""},
	"brackets only":  {"shorthand after brackets and back", `$["a"]["b"].c`, Path{"a", "b", "c"}, ""},
	"simple escapes": {"as in JavaScript", `$["\b\f\n\r\t\v\0"]`, Path{"\b\f\n\r\t\v\x00"}, ""},
	"code escapes":   {"two digits, four digits, braces", `$["\x41\u00e9\u{1F600}"]`, Path{"Aé😀"}, ""},
	"surrogates":     {"a pair is one character", `$["\ud83d\ude00"]`, Path{"😀"}, ""},
	"half a pair":    {"a lone surrogate cannot be written; what follows is kept", `$["\ud83d\u0041"]`, Path{"\uFFFDA"}, ""},
	"other escapes":  {"any other character is itself", `$["\q\"\\\/"]`, Path{`q"\/`}, ""},

	"empty":             {"KubeStellar's words", ``, nil, `EOF`},
	"no root":           {"KubeStellar's words", `spec.x`, nil, `syntax error at 0: missing root identifier (dollar sign)`},
	"descendants":       {"KubeStellar's words", `$..x`, nil, `syntax error at 2: expected member-name-shorthand, got '.'`},
	"wildcard":          {"KubeStellar's words", `$.a[*]`, nil, `syntax error at 4: expected open quote, got '*'`},
	"single quotes":     {"KubeStellar's words", `$['a']`, nil, `syntax error at 2: expected open quote, got '\''`},
	"space":             {"KubeStellar's words", `$["a" ]`, nil, `syntax error at 5: missing close bracket, got ' '`},
	"hyphen":            {"KubeStellar's words", `$.a-b`, nil, `syntax error at 3: extra junk '-' after last segment`},
	"open string":       {"KubeStellar's words", `$["a`, nil, `syntax error at 4: missing close quote`},
	"open escape":       {"the quote is escaped, so nothing closes", `$["a\`, nil, `syntax error at 5: missing close quote`},
	"dot at the end":    {"a name must follow", `$.`, nil, `syntax error at 2: expected member-name-shorthand, got EOF`},
	"digit first":       {"a name does not begin with a digit", `$.1a`, nil, `syntax error at 2: expected member-name-shorthand, got '1'`},
	"index":             {"arrays cannot be entered", `$.a[0]`, nil, `syntax error at 4: expected open quote, got '0'`},
	"bracket at end":    {"a string must follow", `$[`, nil, `syntax error at 2: expected open quote, got EOF`},
	"no close bracket":  {"the bracket is required", `$["a"`, nil, `syntax error at 5: missing close bracket, got EOF`},
	"leading space":     {"no white space anywhere", ` $`, nil, `syntax error at 0: missing root identifier (dollar sign)`},
	"short hex":         {"two digits are needed", `$["\x4"]`, nil, `syntax error at 5: expected 2 hexadecimal digits`},
	"signed hex":        {"a sign is no digit", `$["\x+4"]`, nil, `syntax error at 5: expected 2 hexadecimal digits`},
	"beyond Unicode":    {"no such character", `$["\u{110000}"]`, nil, `syntax error at 5: expected a code point in braces`},
	"space behind":      {"not at the end either", `$ `, nil, `syntax error at 1: extra junk ' ' after last segment`},
	"slice":             {"nor cut", `$.a[1:2]`, nil, `syntax error at 4: expected open quote, got '1'`},
	"filter":            {"nor searched", `$.a[?(@.b)]`, nil, `syntax error at 4: expected open quote, got '?'`},
	"bytes":             {"offsets count bytes, not characters", `$.größe-x`, nil, `syntax error at 9: extra junk '-' after last segment`},
	"line break inside": {"a string literal ends with its line", "$[\"a\nb\"]", nil, `syntax error at 4: line break in string`},
	"not UTF-8":         {"offsets and characters need valid text", "$.\xff", nil, `syntax error: not valid UTF-8`},
}

func TestParsePath(t *testing.T) {
	for name, tc := range pathCases {
		t.Run(name, func(t *testing.T) {
			got, err := ParsePath(tc.query)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if d := cmp.Diff(tc.err, text); d != "" {
				t.Errorf("%s: error (-want +got):\n%s", tc.reason, d)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			checkPath(t, tc.query)
		})
	}
}
