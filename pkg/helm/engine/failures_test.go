package engine_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// failures are templates that neither Helm nor we render. at is the place that both name first or last; message is ours.
var failures = map[string]struct{ text, at, message string }{
	"Fail":        {"\n{{ fail (printf \"no %s\" .Values.name) }}", "web/templates/x.yaml:2:3", "no shop"},
	"Required":    {"a: {{ required \"want .Values.host\" .Values.host }}", "web/templates/x.yaml:1:6", "want .Values.host"},
	"Nil":         {"a:\n  b: {{ .Values.no.such.field }}", "web/templates/x.yaml:2:15", "nil pointer evaluating interface {}.such, at <.Values.no.such.field>"},
	"Called":      {"{{ include \"outer\" . }}", "web/templates/_f.tpl:2:10", "nil pointer evaluating interface {}.such, at <.Values.no.such> (called at web/templates/_f.tpl:4:23) (called at web/templates/x.yaml:1:3)"},
	"Type":        {"{{ indent \"x\" \"y\" }}", "web/templates/x.yaml:1:10", `expected integer; found "x", at <"x">`},
	"TypeOfValue": {"{{ indent .Values.map \"y\" }}", "web/templates/x.yaml:1:17", "wrong type for value; expected int; got map[string]interface {}, at <.Values.map>"},
	"Arguments":   {"{{ upper }}", "web/templates/x.yaml:1:3", "wrong number of args for upper: want 1 got 0, at <upper>"},
	"Unknown":     {"\n\n{{ env \"HOME\" }}", "web/templates/x.yaml:3", `function "env" not defined`},
	"Expand":      {"{{ expandenv \"$HOME\" }}", "web/templates/x.yaml:1", `function "expandenv" not defined`},
	"Unclosed":    {"{{ if true }}\n", "web/templates/x.yaml:2", "unexpected EOF"},
	"NoTemplate":  {"{{ include \"nope\" . }}", "web/templates/x.yaml:1:3", `include: no template "nope", at <include "nope" .>`},
	"NoTemplate2": {"{{ template \"nope\" . }}", "web/templates/x.yaml:1:12", `template "nope" not defined, at <{{template "nope" .}}>`},
	"Tpl":         {"{{ tpl \"{{ .Values.no.such }}\" . }}", "web/templates/x.yaml:1:3", "in the text for tpl, line 1, column 10: nil pointer evaluating interface {}.such, at <.Values.no.such>"},
	"TplParse":    {"{{ tpl \"{{ if }}\" . }}", "web/templates/x.yaml:1:3", "tpl: the text is no template: line 1: missing value for if, at <tpl \"{{ if }}\" .>"},
	"Recursion":   {"{{ include \"self\" . }}", "web/templates/_f.tpl:6:", "templates call each other more than 500 levels deep; end the recursion"},
	"Panic":       {"{{ mustFirst \"text\" }}", "web/templates/x.yaml:1:3", "error calling mustFirst: Cannot find first on type string, at <mustFirst \"text\">"},
	"Divide":      {"{{ div 1 0 }}", "web/templates/x.yaml:1:3", "error calling div: runtime error: integer divide by zero, at <div 1 0>"},
	"Secret":      {"{{ mustToDate \"2006\" .Values.name }}", "web/templates/x.yaml:1:3", `error calling mustToDate: parsing time "..." as "...": cannot parse "..." as "...", at <mustToDate "2006" .Values.name>`},
	"Compare":     {"{{ eq .Values.map .Values.map }}", "web/templates/x.yaml:1:3", "eq: values of type map[string]interface {} and map[string]interface {} cannot be compared; use deepEqual, at <eq .Values.map .Values.map>"},
	"CompareType": {"{{ eq .Values.name 1 }}", "web/templates/x.yaml:1:3", "error calling eq: incompatible types for comparison: string and int, at <eq .Values.name 1>"},
	"Range":       {"{{ range .Values.f }}{{ end }}", "web/templates/x.yaml:1:16", "range wants a list, a map or a number"},
	"Regex":       {"{{ regexFind \"(\" \"x\" }}", "web/templates/x.yaml:1:3", "regexFind: a regular expression is wrong, at <regexFind \"(\" \"x\">"},
	"Field":       {"{{ .Values.name.first }}", "web/templates/x.yaml:1:10", "can't evaluate field first in type interface {}, at <.Values.name.first>"},
}

const failing = "{{ define \"inner\" }}\n{{ .Values.no.such }}{{ end }}\n\n{{ define \"outer\" }}{{ include \"inner\" . }}{{ end }}\n\n{{ define \"self\" }}{{ include \"self\" . }}{{ end }}"

// TestFailuresAgree wants each failure at the place where Helm sees it.
func TestFailuresAgree(t *testing.T) {
	var running sync.WaitGroup
	defer running.Wait()
	for name, tc := range failures {
		chart := map[string]string{"templates/x.yaml": tc.text, "templates/_f.tpl": failing, "Chart.yaml": everything["Chart.yaml"], "values.yaml": everything["values.yaml"]}
		_, err := ours(t, chart, engine.Options{})
		if fault, is := errors.AsType[*engine.Error](err); !is {
			t.Errorf("%s: got %v", name, err)
			continue
		} else if !strings.HasPrefix(fault.Place.String(), tc.at) || !strings.HasPrefix(strings.TrimPrefix(err.Error(), fault.Place.String()+": "), tc.message) {
			t.Errorf("%s: got %v\nwant %s: %s", name, err, tc.at, tc.message)
		}
		if name == "Recursion" {
			continue // Helm takes half a minute
		}
		dir := write(t, chart)
		running.Go(func() {
			_, err := helmTemplate(t, dir)
			if err == nil || !strings.Contains(err.Error(), tc.at) {
				t.Errorf("%s: Helm says %v, want it at %s", name, err, tc.at)
			}
		})
	}
}

// TestErrorsAreOneLine wants no line ends and no end of text in an error, whatever a chart says.
func TestErrorsAreOneLine(t *testing.T) {
	_, err := render(t, engine.Options{}, `{{ fail (printf "a\nb\x1b[31m%s" (repeat 100000 "x")) }}`)
	if err == nil || len(err.Error()) > 2000 || regexp.MustCompile(`[\x00-\x1f]`).MatchString(err.Error()) {
		t.Errorf("got %.300v", err)
	}
}
