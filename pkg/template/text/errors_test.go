package text_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

func leaks(err error) bool { return strings.Contains(err.Error(), "secret") }

func TestErrors(t *testing.T) {
	cases := map[string]struct{ reason, template, want string }{
		"Where":      {"line and column", "a\n{{ upper .List }}", "template: line 2, column 3: upper wants string as value 1, and is given []interface {}"},
		"Missing":    {"what is missing", "{{ upper .none }}", "template: line 1, column 3: upper wants string as value 1, and is given nothing"},
		"Count":      {"too few", "{{ upper }}", "template: line 1, column 3: upper is given 0 values and wants 1"},
		"CountMore":  {"too few of any number", "{{ printf }}", "template: line 1, column 3: printf is given 0 values and wants 1 or more"},
		"Steps":      {"which bound", "{{ range 1000000 }}{{ end }}", "template: line 1, column 9: it takes too much work; use fewer or smaller loops and values"},
		"Range":      {"no value", "{{ range .Text }}{{ end }}", "template: line 1, column 9: range wants a list, a map or a number"},
		"Field":      {"types are no values", "{{ .Text.a }}", "template: line 1, column 8: can't evaluate field a in type interface {}"},
		"Compare":    {"nor here", "{{ eq .Text 1 }}", "template: line 1, column 3: error calling eq: incompatible types for comparison: string and int"},
		"CompareAll": {"here they are", "{{ eq .List .List }}", "template: line 1, column 3: eq cannot be worked out for what it is given"},
		"Panic":      {"what a function says may quote", "{{ semver .Text }}{{ urlParse .Text }}", "template: line 1, column 3: semver cannot be worked out for what it is given"},
		"URL":        {"", "{{ urlParse (print \":\" .Text) }}", "template: line 1, column 3: urlParse cannot be worked out for what it is given"},
		"Fail":       {"what the template says itself", "{{ fail \"want a tier\" }}", "template: line 1, column 3: it calls fail: want a tier"},
		"FailValue":  {"what it makes of values", "{{ fail (print .Text) }}", "template: line 1, column 3: it calls fail; what that says is not shown, because it may be a value"},
		"Regex":      {"", "{{ regexMatch (print \"(\" .Text) \"\" }}", "template: line 1, column 3: a regular expression is wrong"},
		"Index":      {"", "{{ index .List .Text }}", "template: line 1, column 3: index cannot be worked out for what it is given"},
		"Undefined":  {"", "{{ template \"x\" }}", "template: line 1, column 12: template \"x\" not defined"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := fill(t, tc.template, map[string]any{"Text": "secret\x01", "List": []any{"secret"}})
			if err == nil || leaks(err) {
				t.Fatalf("%s: error %v", tc.reason, err)
			}
			if err.Error() != tc.want {
				t.Errorf("%s: want %s\ngot %v", tc.reason, tc.want, err)
			}
		})
	}
}

func TestCompileErrors(t *testing.T) {
	for template, want := range map[string]string{
		"a\n{{ env }}":     `line 2: function "env" not defined`,
		"{{ if }}{{ end}}": `line 1: missing value for if`,
		"{{":               `line 1: unclosed action`,
	} {
		if _, err := text.Compile("name", template); err == nil || err.Error() != want {
			t.Errorf("%s: want %s, got %v", template, want, err)
		}
	}
}
