package engine_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// TestNothingStale wants a text that was made before only where it is the same now. Each line of two files gives the same as Helm.
func TestNothingStale(t *testing.T) {
	helpers := strings.Join([]string{
		`{{ define "name" }}{{ .Values.name }}{{ end }}`, `{{ define "file" }}{{ .Template.Name }}{{ end }}`, `{{ define "outer" }}{{ include "file" . }}{{ end }}`,
		`{{ define "outer2" }}{{ template "file" $ }}{{ end }}`, `{{ define "handed" }}{{ with $ }}{{ include "file" . }}{{ end }}{{ end }}`,
		`{{ define "indexed" }}{{ index $ "Template" "Name" }}{{ end }}`, `{{ define "variable" }}{{ $x := . }}{{ $x.Template.Name }}{{ end }}`,
		`{{ define "computed" }}{{ include (print "fi" "le") . }}{{ end }}`, `{{ define "piped" }}{{ . | include "file" }}{{ end }}`,
		`{{ define "text" }}{{ tpl "{{ .Template.Name }}" . }}{{ end }}`, `{{ define "dict" }}{{ include "root" (dict "r" .) }}{{ end }}`,
		`{{ define "root" }}{{ .r.Template.Name }}{{ end }}`, `{{ define "looped" }}{{ range $k, $v := . }}{{ if eq $k "Template" }}{{ $v.Name }}{{ end }}{{ end }}{{ end }}`,
		`{{ define "setter" }}{{ $_ := set .Values "name" (print .Values.name "x") }}{{ .Values.name }}{{ end }}`,
		`{{ define "printed" }}{{ toJson .Template }}{{ end }}`,
	}, "\n")
	text := strings.Join([]string{
		`{{ include "name" . }} {{ toYaml .Values.map }}`, `{{ include "setter" . }} {{ include "setter" . }} {{ include "name" . }}`,
		`{{ $_ := set .Values.map "z" (list 1) }}{{ toYaml .Values.map }}`, `{{ $_ := unset .Values.map "z" }}{{ toYaml .Values.map }}`,
		`{{ $_ := merge .Values.map (dict "z" 2) }}{{ toYaml .Values.map }}`, `{{ $_ := mergeOverwrite .Values.map (dict "z" 3) }}{{ toYaml .Values.map }}`,
		`{{ $_ := mustMergeOverwrite .Values.map (dict "z" 4) }}{{ mustToYaml .Values.map }}`, `{{ $l := list 1 2 3 }}{{ toYaml (mustSlice $l 0 2) }}{{ toYaml (mustSlice $l 0 3) }}`,
		`{{ range 300 }}{{ $d := dict "i" . }}{{ if ne (toYaml $d) (printf "i: %d" .) }}stale{{ end }}{{ end }}`,
		`{{ tpl "{{ define \"name\" }}in a text{{ end }}{{ include \"name\" . }}" . }} {{ include "name" . }} {{ tpl "{{ include \"name\" . }}" . }}`,
		`{{ range list "file" "outer" "outer2" "handed" "indexed" "variable" "computed" "piped" "text" "dict" "looped" "printed" }}{{ . }} {{ include . $ }} {{ include . $ }}`, `{{ end }}`,
	}, "\n")
	chart := map[string]string{
		"templates/_h.tpl": helpers, "templates/a.yaml": "kind: A\nx: |\n" + text, "templates/b.yaml": "kind: B\nx: |\n" + text,
		"Chart.yaml": everything["Chart.yaml"], "values.yaml": everything["values.yaml"],
	}
	for name, text := range chart {
		if strings.HasSuffix(name, "a.yaml") || strings.HasSuffix(name, "b.yaml") {
			chart[name] = "{{- define \"all-" + name + "\" }}" + text[strings.Index(text, "x: |\n")+5:] + "{{ end }}" + text[:strings.Index(text, "x: |\n")] + "x: {{ include \"all-" + name + "\" . | quote }}\n"
		}
	}
	got, err := ours(t, chart, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"web/templates/a.yaml", "web/templates/b.yaml"} {
		if n := strings.Count(got[file], file); n != 24 || strings.Contains(got[file], "stale") {
			t.Errorf("%s names itself %d times:\n%s", file, n, got[file])
		}
	}
	out, err := helmTemplate(t, write(t, chart))
	if err != nil {
		t.Fatal(err)
	}
	want := sections(out)
	for file, text := range got {
		if strings.TrimSpace(want[file]) != strings.TrimSpace(text) {
			t.Errorf("%s: Helm\n%s\nhere\n%s", file, want[file], text)
		}
	}
}
