package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEveryFunction gives each function what it may least expect, in all orders, piped from a template: it comes back soon,
// and does not end the process.
func TestEveryFunction(t *testing.T) {
	cycle := map[string]any{"a": map[string]any{"b": 1.5}}
	cycle["self"] = cycle
	pool := map[string]any{
		"text": strings.Repeat("aB.é\n ", 4_000), "pattern": "(.?){9}x?", "far": int64(math.MaxInt64), "below": math.MinInt64 + 1,
		"list": slices.Repeat([]any{"a", int64(1), nil, map[string]any{"a": 1.5}}, 100), "dict": map[string]any{"a": map[string]any{"host": "a"}, "b": nil},
		"nothing": nil, "float": math.MaxFloat64, "one": 1, "cycle": cycle, "files": Files{"a/b": []byte("x")}, "time": time.Unix(0, 0), "nan": math.NaN(),
	}
	some := append(orders(slices.Sorted(maps.Keys(pool)), 2), orders([]string{"text", "far", "list", "cycle"}, 3)...)
	for name := range functionsByName() {
		t.Run(name, func(t *testing.T) {
			text := ""
			for _, args := range some {
				text = "{{ $_ := " + name + " ." + strings.Join(args, " .") + " }}"
				if len(args) == 0 {
					text = "{{ $_ := " + name + " }}"
				}
				compiled, err := Compile([]File{{"web/templates/a.yaml", []byte(text)}})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				_, err = compiled.Render(func(string) map[string]any { return pool }, Options{Seed: "s", Now: time.Unix(1, 0)})
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("%s took %v", text, took)
				}
				if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 3*maxMessage) {
					t.Errorf("%s: too long an error: %.200v", text, err)
				}
			}
		})
	}
}

// orders are all choices of up to n names.
func orders(names []string, n int) (all [][]string) {
	all = [][]string{{}}
	for from := 0; n > 0; n-- {
		to := len(all)
		for _, begun := range all[from:to] {
			for _, name := range names {
				all = append(all, append(slices.Clone(begun), name))
			}
		}
		from = to
	}
	return all
}

// TestSteps wants the budget to be a large multiple of what an ordinary chart takes.
func TestSteps(t *testing.T) {
	text := "{{ define \"labels\" }}app: {{ .name | trunc 63 | quote }}\n{{ toYaml .labels }}{{ end }}{{ range $i := until 10 }}{{ include \"labels\" $ | nindent 4 }}{{ end }}"
	compiled, err := Compile([]File{{"web/templates/a.yaml", []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	r := compiled.machine()
	r.begin(Options{})
	if _, err := r.file("web/templates/a.yaml", map[string]any{"name": "x", "labels": map[string]any{"a": "b", "c": "d"}}); err != nil {
		t.Fatal(err)
	}
	if used := maxSteps - r.steps; used < 500 || used > 5000 {
		t.Errorf("10 calls of a template take %d steps", used)
	}
	fmt.Fprintln(t.Output(), maxSteps-r.steps, "steps")
}
