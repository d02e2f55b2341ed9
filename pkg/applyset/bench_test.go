package applyset_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// manySources are inputs with three outputs each.
func manySources(t testing.TB, n int) []*krm.Object {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "---\napiVersion: test.dev/v1\nkind: Source\nmetadata: {name: s%05d, namespace: n}\nspec: {size: 1}\n", i)
	}
	objects, err := krm.Read("in.yaml", []byte(text.String()), krm.Limits{Bytes: 1 << 30, Documents: n + 1})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func threeEach(_ context.Context, g *applyset.Group) applyset.Outcome {
	var out []*krm.Object
	for _, part := range []string{"a", "b", "c"} {
		o := krm.FromNode(krm.MapNode(
			krm.StringNode("apiVersion"), krm.StringNode("v1"), krm.StringNode("kind"), krm.StringNode("Out"),
			krm.StringNode("metadata"), krm.MapNode(
				krm.StringNode("name"), krm.StringNode(g.Input.Name()+"-"+part), krm.StringNode("namespace"), krm.StringNode(g.Input.Namespace())),
			krm.StringNode("spec"), krm.CopyNode(g.Input.Lookup("spec"))))
		o.SetPath("out/"+g.Input.Name()+"-"+part+".yaml", 0)
		out = append(out, o)
	}
	return applyset.Outputs(out...)
}

// BenchmarkRun has 10,000 inputs with three outputs each: it creates all, and then changes one input; either all projections
// run, or one runs and the others report nothing new.
func BenchmarkRun(b *testing.B) {
	const inputs = 10_000
	for _, merge := range []applyset.Merge{applyset.Replace, applyset.ThreeWay} {
		edges := func(items []*krm.Object) []applyset.Edge {
			e := edge(items)
			e.Merge, e.Project = merge, threeEach
			return []applyset.Edge{e}
		}
		first := manySources(b, inputs)
		small := manySources(b, 50)
		checkLaws(b, small, edges)
		second := slices.Clone(run(b, first, edges(first)...).Items)
		second[7] = second[7].DeepCopy()
		krm.SetField(second[7].Lookup("spec"), "size", krm.StringNode("2"))
		known := func(items []*krm.Object) []applyset.Edge {
			e := edges(items)
			e[0].Project = func(ctx context.Context, g *applyset.Group) applyset.Outcome {
				if g.Input != second[7] {
					return applyset.KeepAll()
				}
				return threeEach(ctx, g)
			}
			return e
		}
		for _, c := range []struct {
			name    string
			items   []*krm.Object
			edges   func([]*krm.Object) []applyset.Edge
			changes int
		}{{"first", first, edges, 3 * inputs}, {"one-change", second, edges, 3}, {"one-change-known", second, known, 3}} {
			b.Run(fmt.Sprintf("merge=%d/inputs=%d/%s", merge, inputs, c.name), func(b *testing.B) {
				if plan := run(b, c.items, c.edges(c.items)...); len(plan.Operations) != c.changes || len(plan.Results) > 0 {
					b.Fatalf("%d operations, want %d; %v", len(plan.Operations), c.changes, results(plan))
				}
				e := c.edges(c.items)
				b.ReportAllocs()
				for b.Loop() {
					run(b, c.items, e...)
				}
				b.ReportMetric(float64(inputs)*float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
			})
		}
	}
}
