package expansion

import "testing"

func TestDirect(t *testing.T) {
	props := map[string]string{"a": "A", "b": "", "long": string(make([]byte, maxOutput))}
	cases := map[string]struct {
		reason, text string
		direct       bool // it is filled in without being run
		want         string
		filled       bool // and that works
	}{
		"Property":   {"one property is the property", "{{.a}}", true, "A", true},
		"Text":       {"text around properties", "x {{.a}}/{{ .b }}/{{.a}} y", true, "x A//A y", true},
		"Trimmed":    {"blanks go where the template says so", "x {{- .a -}} y", true, "xAy", true},
		"Comment":    {"a comment is nothing", "x{{/* c */}}", true, "x", true},
		"Missing":    {"running it says what is missing", "x {{.c}}", true, "", false},
		"MissingOne": {"also where there is nothing else", "{{.c}}", true, "", false},
		"TooLong":    {"running it says what is too long", "x{{.long}}", true, "", false},
		"AsLong":     {"the bound itself is allowed", "{{.long}}", true, props["long"], true},
		"Pipe":       {"a function has to run", "{{.a | html}}", false, "", false},
		"Function":   {"in either spelling", "{{html .a}}", false, "", false},
		"Variable":   {"so has a variable", "{{$x := .a}}{{$x}}", false, "", false},
		"Deeper":     {"a property has no fields: an error to report", "{{.a.b}}", false, "", false},
		"Dot":        {"all properties at once", "{{.}}", false, "", false},
		"If":         {"a decision", "{{if .a}}x{{end}}", false, "", false},
		"Define":     {"more than one template", `{{define "d"}}{{end}}{{.a}}`, false, "", false},
		"Constant":   {"a constant", `{{"{{"}}`, false, "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := compile("t", tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.direct != nil; got != tc.direct {
				t.Fatalf("%s: direct is %t, want %t", tc.reason, got, tc.direct)
			}
			if !tc.direct {
				return
			}
			if got, filled := p.direct.fill(props); filled && got != tc.want || filled != tc.filled {
				t.Errorf("%s: got %.20q (%t), want %.20q (%t)", tc.reason, got, filled, tc.want, tc.filled)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	o := read(t, `apiVersion: v1
kind: ConfigMap
metadata:
  name: x
  annotations: {control.kubestellar.io/expand-templates: "true"}
z: ["{{.a}}", x, {k: "{{.b}}"}]
a: "{{.c}}"
`)
	tmpl := mustCompile(t, o)
	var got []string
	for _, place := range tmpl.Places() {
		n := o.Node()
		for _, i := range place {
			n = n.Content[i]
		}
		got = append(got, n.Value)
	}
	law(t, "places are where the templates stand, keys in order", got, []string{"{{.c}}", "{{.a}}", "{{.b}}"})
}
