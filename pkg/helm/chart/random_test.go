package chart

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// randomCharts is how many charts TestRandomValues makes.
const randomCharts = 60

// TestRandomValues makes charts in charts, with values, globals, nulls, aliases, conditions, tags and imports by chance, and wants
// every chart to see the values that it sees with the real Helm. The charts are the same on every run.
func TestRandomValues(t *testing.T) {
	testenv.Need(t, testenv.Helm)
	for i := range randomCharts {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(i), 7)), t: t} // #nosec G404 -- a test
			dir := t.TempDir()
			g.chart(dir, "root", 0, false)
			values, err := yaml.Marshal(g.values(3, "a", "b"))
			if err != nil {
				t.Fatal(err)
			}
			r := testRelease{chart: dir, values: values}
			if !r.settled(t) {
				r.compare(t)
			}
		})
	}
}

// settled reports whether Helm renders what we render, or whether chance decides what it renders: it shares maps of values that
// it changes in the order of Go's maps.
func (r testRelease) settled(t *testing.T) bool {
	first, err := r.helms(t)
	ours, ourErr := r.ours()
	switch {
	case err != nil || ourErr != nil:
		return (err == nil) == (ourErr == nil)
	case cmp.Equal(first, ours):
		return true
	}
	for range 5 {
		if again, _ := r.helms(t); !cmp.Equal(first, again) {
			t.Log("Helm renders it differently on every run")
			return true
		}
	}
	return false
}

// generator makes charts.
type generator struct {
	*rand.Rand
	t *testing.T
}

// oneOf is one of some texts.
func (g *generator) oneOf(texts ...string) string { return texts[g.IntN(len(texts))] }

// values are values by chance, with keys that meet often: those of charts, globals, tags and exports among them.
func (g *generator) values(depth int, charts ...string) map[string]any {
	m := map[string]any{}
	for range g.IntN(6) {
		key := g.oneOf(append([]string{"x", "y", "z", "exports", "global", "on"}, charts...)...)
		switch kind := g.IntN(8); {
		case key == "on":
			m[key] = g.IntN(2) == 0
		case depth > 0 && (kind < 5 || key == "a" || key == "b" || key == "exports" || key == "global"):
			m[key] = g.values(depth-1, charts...)
		case kind == 5:
			m[key] = nil
		case kind == 6:
			m[key] = []any{g.IntN(3), nil}
		default:
			m[key] = g.oneOf("one", "two")
		}
	}
	if g.IntN(4) == 0 {
		m["tags"] = map[string]any{"t": g.IntN(2) == 0, "u": g.IntN(2) == 0}
	}
	return m
}

// chart writes a chart with charts in it. In a listed chart all charts are listed: with Helm, several aliases of a chart share
// the Chart.yaml of unlisted charts in it, and conditions of one count for all.
func (g *generator) chart(dir, name string, depth int, listed bool) {
	about := map[string]any{"apiVersion": "v2", "name": name, "version": "1.0.0"}
	var deps []any
	if depth < 3 {
		for _, inner := range []string{"a", "b"} {
			if g.IntN(3) == 0 {
				continue
			}
			entries := g.dependencies(inner, listed)
			g.chart(filepath.Join(dir, "charts", inner), inner, depth+1, listed || len(entries) > 0)
			deps = append(deps, entries...)
		}
	}
	if len(deps) > 0 {
		about["dependencies"] = deps
	}
	template := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {template: {{ .Template.Name }}, values: {{ toJson .Values | quote }}}\n"
	g.write(filepath.Join(dir, "Chart.yaml"), about)
	g.write(filepath.Join(dir, "values.yaml"), g.values(3, "a", "b"))
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "templates"), 0o700),
		os.WriteFile(filepath.Join(dir, "templates", "x.yaml"), []byte(template), 0o600)); err != nil {
		g.t.Fatal(err)
	}
}

// dependencies are entries of Chart.yaml for a chart in it; none leaves it unlisted.
func (g *generator) dependencies(name string, must bool) (all []any) {
	n := g.IntN(3)
	if must {
		n = max(n, 1)
	}
	for i := range n {
		d := map[string]any{"name": name, "version": "~1"}
		if i > 0 {
			d["alias"] = fmt.Sprintf("%s%d", name, i)
		}
		if g.IntN(3) == 0 {
			d["condition"] = g.oneOf("x.on", name+".on", "on", "missing.on,y.on")
		}
		if g.IntN(3) == 0 {
			d["tags"] = strings.Split(g.oneOf("t", "u", "t u"), " ")
		}
		if g.IntN(2) == 0 {
			d["import-values"] = []any{g.oneOf("x", "y", "z"),
				map[string]any{"child": g.oneOf("x", "y.x", "global", "exports"), "parent": g.oneOf(".", "z", "x.y", "a.x", "global")}}
		}
		all = append(all, d)
	}
	return all
}

func (g *generator) write(file string, v any) {
	data, err := yaml.Marshal(v)
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, data, 0o600))
	}
	if err != nil {
		g.t.Fatal(err)
	}
}
