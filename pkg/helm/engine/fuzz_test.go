package engine_test

import (
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// FuzzRender renders any template with any partial and values: it ends soon, gives the same twice, leaves values as they are, and an
// error is one line with a file.
func FuzzRender(f *testing.F) {
	text, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f.Add("{{ "+strings.TrimSpace(line)+" }}", failing, everything["values.yaml"])
	}
	for _, tc := range failures {
		f.Add(tc.text, failing, "a: &a [1]\nb: *a")
	}
	for _, name := range []string{"Self", "SelfMerge", "SelfKey", "Bomb", "BombText", "DoublingTpl", "Merge", "GlobNested"} {
		f.Add(hostile[name].text, "", "")
	}
	f.Add("{{ block \"x\" . }}{{ . }}{{ break }}{{ end }}", "{{ define \"web/templates/a.yaml\" }}x{{ end }}", "{}")
	f.Add("{{ range $k, $v := . }}{{ $k }}={{ $v }}{{ continue }}{{ else }}{{ end }}", "{{/* */}}", "- 1")
	f.Fuzz(func(t *testing.T, text, partial, valuesText string) {
		files := []engine.File{{Name: "web/templates/a.yaml", Data: []byte(text)}, {Name: "web/templates/_p.tpl", Data: []byte(partial)}}
		compiled, err := engine.Compile(files)
		if err != nil {
			checkError(t, err)
			return
		}
		dot := testValues()
		dot["Values"] = parsedValues(valuesText)
		began := time.Now()
		first, err := compiled.Render(func(string) map[string]any { return dot }, engine.Options{Seed: "s", Now: time.Unix(1, 0)})
		if took := time.Since(began); took > patience {
			t.Fatalf("it took %v", took)
		}
		checkError(t, err)
		second, again := compiled.Render(func(string) map[string]any { return dot }, engine.Options{Seed: "s", Now: time.Unix(1, 0)})
		if !maps.Equal(first, second) || (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Errorf("%q, %v, then %q, %v", first, err, second, again)
		}
		if untouched := testValues(); !cmp.Equal(untouched["Release"], dot["Release"]) || !cmp.Equal(parsedValues(valuesText), dot["Values"]) {
			t.Error("values were changed")
		}
	})
}

func parsedValues(text string) map[string]any {
	values := map[string]any{}
	if len(text) > 1000 || yaml.Unmarshal([]byte(text), &values) != nil || values == nil {
		return map[string]any{}
	}
	return values
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	fault, is := errors.AsType[*engine.Error](err)
	if !is || fault.File == "" || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 8000 {
		t.Errorf("want a place and one line, got %.500v", err)
	}
}
