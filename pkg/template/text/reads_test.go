package text_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

func TestReadsOnly(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, template string
		want             bool
	}{
		"nothing":        {"a text reads nothing", "shared", true},
		"the path":       {"one that is named", "{{ .Cluster }}-ca", true},
		"below it":       {"and what is below", "{{ .Object.status.name | upper }}", true},
		"another":        {"one that is not", "{{ .Object.spec.name }}", false},
		"above":          {"more than that", "{{ .Object }}", false},
		"alike":          {"a name is whole", "{{ .Object.statuses.name }}", false},
		"everything":     {"all there is", "{{ . | toJson }}", false},
		"the root":       {"by another name", "{{ $ | toJson }}", false},
		"below the root": {"likewise", "{{ $.Cluster }}", true},
		"not below":      {"likewise", "{{ $.Object.spec.name }}", false},
		"in a condition": {"what decides counts", `{{ if eq .Object.spec.a "x" }}a{{ end }}`, false},
		"in a branch":    {"and what is written", "{{ if .Cluster }}a{{ else }}{{ .Object.spec.a }}{{ end }}", false},
		"both branches":  {"where both are fine", "{{ if .Cluster }}{{ .Cluster }}{{ else }}b{{ end }}", true},
		"in parentheses": {"however deep", "{{ printf \"%s\" (lower .Object.spec.a) }}", false},
		"by index":       {"what index takes from is read as a whole", `{{ index .Object "spec" }}`, false},
		"of a call":      {"fields of a result are not followed", "{{ (first .Object.status.list).name }}", false},
		"by a variable":  {"what it was set to counts", "{{ $a := .Object.spec.a }}{{ $a }}", false},
		"by a fine one":  {"likewise", "{{ $a := .Cluster }}{{ $a }}", true},
		"by with":        {"which changes what a field is of", "{{ with .Object.status }}{{ .name }}{{ end }}", false},
		"by range":       {"likewise", "{{ range .Object.status.list }}{{ . }}{{ end }}", false},
		"by a template":  {"which may be given anything", `{{ define "a" }}{{ .Cluster }}{{ end }}{{ template "a" .Object }}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			compiled, err := text.Compile("t", tc.template)
			if err != nil {
				t.Fatal(err)
			}
			if got := compiled.ReadsOnly("Cluster", "Object.status"); got != tc.want {
				t.Errorf("%s: %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}
