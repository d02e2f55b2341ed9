package expansion

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReads(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"Plain":   {"text is no template", "web:1.0", nil},
		"Fields":  {"each once, as they come", "{{.b}}/{{ .a }}{{ .b }}", []string{"b", "a"}},
		"Index":   {"by index", `{{ or (index . "currency") "EUR" }}`, []string{"currency"}},
		"Branch":  {"in all branches", `{{ if .a }}{{ .b }}{{ else }}{{ .c }}{{ end }}`, []string{"a", "b", "c"}},
		"Loop":    {"what a loop comes to is not named", "{{ range . }}{{ . }}{{ end }}", nil},
		"Other":   {"an index into something else", `{{ index "abc" 1 }}`, nil},
		"Defined": {"in defined templates", `{{ template "x" . }}{{ define "x" }}{{ .deep }}{{ end }}`, []string{"deep"}},
		"Broken":  {"what does not parse", "{{ .a", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Reads(tc.text)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
