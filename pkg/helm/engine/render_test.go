package engine_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// render renders the file web/templates/a.yaml, and others.
func render(t testing.TB, o engine.Options, text string, more ...engine.File) (string, error) {
	t.Helper()
	const name = "web/templates/a.yaml"
	compiled, err := engine.Compile(append(more, engine.File{Name: name, Data: []byte(text)}))
	if err != nil {
		return "", err
	}
	made, err := compiled.Render(func(string) map[string]any { return testValues() }, o)
	return made[name], err
}

func testValues() map[string]any {
	return map[string]any{
		"Values": map[string]any{
			"name": "shop", "n": int64(3), "f": 1.5, "big": float64(1000000), "yes": true, "nothing": nil, "empty": map[string]any{},
			"list": []any{"b", "a", int64(1), nil}, "map": map[string]any{"z": "1", "a": map[string]any{"x": 1.0, "y": "two"}},
		},
		"Chart":   map[string]any{"Name": "web", "Version": "1.2.3", "IsRoot": true},
		"Release": map[string]any{"Name": "r1", "Namespace": "ns", "IsInstall": true, "IsUpgrade": false, "Revision": 1, "Service": "Helm"},
		"Files":   engine.Files{"conf/a.txt": []byte("one\ntwo\n"), "conf/b.json": []byte(`{"b": 1}`), "bin": {0, 1, 2}},
	}
}

func TestQuick(t *testing.T) {
	for _, text := range []string{
		`{{ .Values.name }} {{ .Values.missing }} {{ .Values.n | quote }} {{ toYaml .Values | nindent 2 }}`,
		`{{ include "h" . | indent 2 }}{{ tpl "{{ .Values.name }}" . }}{{ .Template.Name }} {{ .Template.BasePath }}`,
		`{{ (.Files.Glob "conf/*").AsConfig | nindent 2 }}{{ range $p, $b := .Files.Glob "conf/*" }}{{ $p }}={{ $.Files.Get $p }}{{ end }}`,
		`{{ randAlphaNum 5 }}`, `{{ fail "no" }}`, `{{ include "deep" . }}`, "\n\n{{ .Values.a.b.c }}", `{{ required "need x" .Values.x }}`, `{{ env "HOME" }}`, `{{ now }}`,
		`{{ range until 5000 }}{{ range until 50000 }}{{ end }}{{ end }}`, `{{ tpl "{{ .x.y.z }}" . }}`, `{{ $_ := set .Values "self" .Values }}{{ toYaml .Values }}`, `{{ atoi "x" }}{{ mustToDate "2006" "s3cret" }}`,
		`{{ toYaml (list 1 2) | nosuch }}`, `{{ eq .Values.map "x" }}`, `{{ include "nope" . }}`, `{{ template "nope" . }}`,
	} {
		got, err := render(t, engine.Options{}, text, engine.File{Name: "web/templates/_h.tpl", Data: []byte("{{ define \"h\" }}a\nb{{ end }}\n{{ define \"deep\" }}{{ include \"deeper\" . }}{{ end }}{{ define \"deeper\" }}\n {{ .Values.a.b }}{{ end }}")})
		t.Logf("%s\n  %q\n  %v", text, got, err)
	}
}
