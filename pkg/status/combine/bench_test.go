package combine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// collectors are so many of them: lists of every row, and groups, in turn.
func collectors(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\n---\napiVersion: control.kubestellar.io/v1alpha1\nkind: StatusCollector\nmetadata: {name: c%d}\nspec:\n  limit: 100000\n", i)
		if i%2 == 0 {
			b.WriteString("  select:\n  - {name: cluster, def: inventory.name}\n  - {name: missing, def: obj.spec.replicas - returned.status.readyReplicas}\n")
		} else {
			b.WriteString("  filter: has(returned.status.readyReplicas)\n  groupBy: [{name: ready, def: returned.status.readyReplicas}]\n  combinedFields: [{name: n, type: COUNT}]\n")
		}
	}
	return b.String()
}

// BenchmarkCombine is a pass over a package in which 2000 clusters report about one object: with 10
// collectors, the first time and when nothing changed.
func BenchmarkCombine(b *testing.B) {
	const reports, asked = 2000, 10
	var names []string
	for i := range asked {
		names = append(names, fmt.Sprintf("c%d", i))
	}
	items := append(fleet(b, reports, reports), parse(b, collectors(asked))...)
	for i, o := range items {
		o.SetPath("in.yaml", i)
		if o.Kind() == "BindingPolicy" {
			data := strings.Replace(text(b, []*krm.Object{o}), "[ready, none]", "["+strings.Join(names, ", ")+"]", 1)
			items[i] = parse(b, data)[0]
			items[i].SetPath("in.yaml", i)
		}
	}
	first := &fn.Input{Items: apply(b, binding.Function, items)}
	fntest.CheckLaws(b, combine.Function, first, nil)
	again := &fn.Input{Items: apply(b, combine.Function, first.Items)}
	for name, in := range map[string]*fn.Input{"first": first, "again": again} {
		b.Run(fmt.Sprintf("reports=%d/collectors=%d/%s", reports, asked, name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				combine.Function.Apply(b.Context(), in)
			}
			b.ReportMetric(float64(reports*asked)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
