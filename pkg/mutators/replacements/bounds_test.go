package replacements

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// objects are n Deployments with names of ten kinds, in ten namespaces.
func objects(t testing.TB, n int) []*krm.Object {
	t.Helper()
	var all []*krm.Object
	for from := 0; from < n; from += 1000 {
		var text strings.Builder
		for i := from; i < min(n, from+1000); i++ {
			fmt.Fprintf(&text, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-%05d\n  namespace: n%d\n  labels: {app: web}\nspec:\n  replicas: 1\n  list:\n  - name: a\n    value: x\n", i, i%10)
		}
		some, err := krm.Read("in.yaml", []byte(text.String()), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// config is replacements of as many targets. In names and paths %d is the number of the replacement, and
// %[2]d that of the target.
func config(t testing.TB, replacements, targets int, selects, path string) *krm.Object {
	t.Helper()
	var text strings.Builder
	text.WriteString("apiVersion: fn.waybill.dev/v1alpha1\nkind: ApplyReplacements\nmetadata: {name: c}\nreplacements:\n")
	for i := range replacements {
		fmt.Fprintf(&text, "- sourceValue: 'v%d'\n  targets:\n", i)
		for j := range targets {
			fmt.Fprintf(&text, "  - select: {%s}\n    fieldPaths: ['%s']\n    options: {create: true}\n", expand(selects, i, j), expand(path, i, j))
		}
	}
	read, err := krm.Read("config.yaml", []byte(text.String()), krm.Limits{Bytes: 1 << 30, Nodes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return read[0]
}

func expand(text string, i, j int) string {
	return strings.NewReplacer("%i", fmt.Sprintf("%05d", i), "%j", fmt.Sprintf("%05d", j)).Replace(text)
}

const tooMuch = "up to here, the replacements look at more than 40,000,000 names and fields; select fewer objects, or split the package"

// TestMuch does many replacements that are no more than they look.
func TestMuch(t *testing.T) {
	testenv.Long(t, "replacements that make a lot")
	items := objects(t, 10_000)
	cases := map[string]struct {
		reason, selects, path string
		times                 int
	}{
		"one each": {"each sets one object", "name: web-%j", "spec.replicas", 300},
		"same":     {"all select the same few", "name: 'web-00.*', namespace: n1", "spec.replicas", 300},
		"prefix":   {"patterns that begin as a name does", "name: 'web-%j|web-%j.+'", "spec.replicas", 100},
		"none":     {"an exact kind that nothing has", "kind: Service%j", "spec.replicas", 100},
	}
	for name, c := range cases {
		out := Function.Apply(t.Context(), &fn.Input{Items: items, Config: config(t, c.times, c.times, c.selects, c.path)})
		if out.Failed() {
			t.Errorf("%s: %s: %s", name, c.reason, fn.FormatResult(out.Results[0]))
		}
	}
	out := Function.Apply(t.Context(), &fn.Input{Items: items, Config: config(t, 30, 30, "name: 'w.*'", "spec.replicas")})
	if out.Failed() || out.Items[9999].String("spec", "replicas") != "v29" {
		t.Errorf("nine million fields are set, some of them often: %v", out.Results)
	}
}

// TestBounds does replacements that would take hours or all memory, with a part of what they may do.
func TestBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	cases := map[string]struct {
		reason, selects, path string
		left                  int
	}{
		"all":          {"each sets all", "kind: Deployment", "spec.replicas", mostWork},
		"everything":   {"also when nothing is selected by", "", "spec.replicas", mostWork / 20},
		"any pattern":  {"each has a pattern of its own for all names", "name: '.*%i%j'", "spec.replicas", mostWork / 20},
		"renamed":      {"each renames what it selects", "kind: Deployment", "metadata.name", mostWork / 20},
		"labels":       {"by labels, which it changes", "labelSelector: 'app'", "metadata.labels.a%j", mostWork / 20},
		"items":        {"each looks at all items of a list", "namespace: n1", "spec.list.[name=a%j].value", mostWork / 20},
		"no such list": {"faults without end", "kind: Deployment", "spec.replicas.a", mostWork / 20},
		"names":        {"no work that would be no error", "name: web-%i%j", "spec.replicas", 10_000},
	}
	items := objects(t, 10_000)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWork(t.Context())
			w.left = c.left
			out, err := w.run(&fn.Input{Items: items, Config: config(t, 100, 100, c.selects, c.path)})
			if err == nil || !strings.HasSuffix(err.Error(), tooMuch) {
				t.Errorf("%s: %v", c.reason, err)
			}
			if most := mostFaults * len(items); len(out.Results) > most {
				t.Errorf("%s: %d results, want at most %d", c.reason, len(out.Results), most)
			}
		})
	}
}

// TestWritten copies a long text to many places.
func TestWritten(t *testing.T) {
	c := config(t, 1, 1, "kind: Deployment", "spec.a")
	c.Lookup("replacements").Content[0].Content[1] = krm.StringNode(strings.Repeat("x", 1<<20))
	out := Function.Apply(t.Context(), &fn.Input{Items: objects(t, 100), Config: c})
	const want = "[error] ApplyReplacements c replacements[0]: Invalid value: up to here, the replacements put more into objects than a file may hold"
	if d := cmp.Diff(want, fn.FormatResult(out.Results[0])); d != "" || len(out.Results) != 1 {
		t.Errorf("a hundred megabytes are too many, with one error (%d) (-want +got):\n%s", len(out.Results), d)
	}
}

// TestStops ends the context before and while replacements are done.
func TestStops(t *testing.T) {
	in := &fn.Input{Items: objects(t, 1000), Config: config(t, 30, 30, "kind: Deployment", "spec.replicas")}
	for asked := range 5 {
		ctx := &endingContext{Context: t.Context(), left: asked}
		if out, err := Run(ctx, in); !errors.Is(err, context.Canceled) || out != nil {
			t.Errorf("ended when it is asked for the time %d: %v", asked, err)
		}
	}
}

// endingContext ends when it was asked so many times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func BenchmarkReplace(b *testing.B) {
	items := objects(b, 10_000)
	for _, n := range []int{30, 300} {
		for name, selects := range map[string]string{"name": "name: web-%j", "pattern": "name: 'web-%j.*'", "namespace": "namespace: n1, name: 'web-0.1.*'"} {
			b.Run(fmt.Sprintf("targets=%dx%d/%s", n, n, name), func(b *testing.B) {
				in := &fn.Input{Items: items, Config: config(b, n, n, selects, "spec.replicas")}
				if out := Function.Apply(b.Context(), in); out.Failed() {
					b.Fatal(fn.FormatResult(out.Results[0]))
				}
				b.ReportAllocs()
				for b.Loop() {
					Function.Apply(b.Context(), in)
				}
				b.ReportMetric(float64(n*n)*float64(b.N)/b.Elapsed().Seconds(), "targets/s")
			})
		}
	}
}
