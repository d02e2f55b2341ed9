package engine_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// helmTemplate is what Helm prints for a chart.
func helmTemplate(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	testenv.Need(t, testenv.Helm)
	program, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"template", "r1", dir, "--namespace", "ns"}, args...)...) // #nosec G204 -- Helm
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TZ=UTC")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s", strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}

// everything is the chart that both evaluate expressions in.
var everything = map[string]string{
	"Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.2.3\n",
	"values.yaml": "name: shop\nn: 3\nf: 1.5\nbig: 1000000\nyes: true\nempty: {}\nlist: [b, a, 1, null, 2.5]\n" +
		"map: {z: \"1\", a: {x: 1, y: two}}\ndb: {port: 5432}\n",
	"charts/db/Chart.yaml":           "apiVersion: v2\nname: db\nversion: 0.1.0\n",
	"charts/db/templates/_twice.tpl": `{{ define "twice" }}of the dependency{{ end }}`,
	"charts/db/templates/own.yaml":   "kind: ConfigMap\nmetadata: {name: db}\ndata: {at: {{ .Template.BasePath }}, port: {{ .Values.port | quote }}, twice: {{ include \"twice\" . }}}\n",
	"templates/_a.tpl":               `{{ define "partial" }}part of {{ .Values.name }}{{ end }}{{ define "twice" }}of a{{ end }}{{ define "missing-value" }}[{{ .Values.missing }}]{{ end }}`,
	"templates/_more.tpl":            ` text of a file {{ define "twice" }}of more{{ end }}{{ define "from-file" }}{{ .Template.Name }}{{ end }}`,
	"templates/z/_z.tpl":             `{{ define "twice" }}of z{{ end }}{{ define "partial" }} {{ end }}`,
	"conf/a.txt":                     "one\ntwo\n", "conf/b.json": "{\"b\": 1}", "top.txt": "no line end",
}

func expressions(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// evaluated is a template with the type and value of each expression.
func evaluated(all []string) string {
	text := "kind: ConfigMap\nmetadata: {name: everything}\ndata:\n"
	for i, expression := range all {
		text += fmt.Sprintf("  e%d: {{ with $ }}{{ $v := %s }}{{ printf \"%%T %%s\" $v (toJson $v) | quote }}{{ end }}\n", i, expression)
	}
	return text
}

// ours renders a chart in our engine, with the top levels that Helm gives.
func ours(t testing.TB, chart map[string]string, o engine.Options) (map[string]string, error) {
	t.Helper()
	values := map[string]any{}
	if err := yaml.Unmarshal([]byte(chart["values.yaml"]), &values); err != nil {
		t.Fatal(err)
	}
	db, _ := values["db"].(map[string]any)
	if db == nil {
		db = map[string]any{}
	}
	values["db"] = db
	db["global"] = map[string]any{}
	release := map[string]any{"Name": "r1", "Namespace": "ns", "IsInstall": true, "IsUpgrade": false, "Revision": 1, "Service": "Helm"}
	files, others := []engine.File{}, engine.Files{}
	for path, text := range chart {
		switch {
		case strings.Contains(path, "templates/"):
			files = append(files, engine.File{Name: "web/" + path, Data: []byte(text)})
		case !strings.HasPrefix(path, "charts/") && path != "Chart.yaml" && path != "values.yaml":
			others[path] = []byte(text)
		}
	}
	compiled, err := engine.Compile(files)
	if err != nil {
		return nil, err
	}
	sub := map[string]any{"Values": db, "Chart": map[string]any{"Name": "db"}, "Release": release, "Files": engine.Files{}, "Subcharts": map[string]any{}}
	dot := map[string]any{"Values": values, "Chart": map[string]any{"Name": "web"}, "Release": release, "Files": others, "Subcharts": map[string]any{"db": sub}}
	return compiled.Render(func(name string) map[string]any {
		if strings.HasPrefix(name, "web/charts/db/") {
			return sub
		}
		return dot
	}, o)
}

func write(t *testing.T, chart map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "web")
	for path, text := range chart {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sections are the texts by file that Helm prints.
func sections(out string) map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(out, "---\n# Source: ") {
		if name, text, ok := strings.Cut(part, "\n"); ok {
			all[name] += text
		}
	}
	return all
}

// TestFunctionsAgree evaluates every expression with Helm and here.
func TestFunctionsAgree(t *testing.T) {
	all := expressions(t)
	chart := map[string]string{"templates/all.yaml": evaluated(all)}
	for path, text := range everything {
		chart[path] = text
	}
	out, err := helmTemplate(t, write(t, chart))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ours(t, chart, engine.Options{Seed: "any"})
	if err != nil {
		t.Fatal(err)
	}
	want := sections(out)
	helms, waybills := dataOf(t, want["web/templates/all.yaml"]), dataOf(t, got["web/templates/all.yaml"])
	for i, expression := range all {
		key := fmt.Sprintf("e%d", i)
		if helms[key] != waybills[key] {
			t.Errorf("%s\n  Helm %s\n  here %s", expression, helms[key], waybills[key])
		}
	}
	if own := "web/charts/db/templates/own.yaml"; strings.TrimSpace(want[own]) != strings.TrimSpace(got[own]) {
		t.Errorf("%s: Helm\n%s\nhere\n%s", own, want[own], got[own])
	}
}

func dataOf(t *testing.T, text string) map[string]string {
	t.Helper()
	object := struct{ Data map[string]string }{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil || len(object.Data) == 0 {
		t.Fatalf("%v in\n%s", err, text)
	}
	return object.Data
}
