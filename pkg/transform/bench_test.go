package transform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// BenchmarkFunction is one run over a package of ConfigMaps that a policy sends to ten
// clusters; every object loses one field.
func BenchmarkFunction(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			var in strings.Builder
			in.WriteString("apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: t}\nspec: {apiGroup: '', resource: configmaps, remove: [$.data.a]}\n---\n" +
				"apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: p}\nspec: {clusterSelectors: [{}], downsync: [{objectSelectors: [{matchLabels: {app: web}}]}]}\n---\n" +
				"apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec:\n  clusters:\n")
			for i := range 10 {
				fmt.Fprintf(&in, "  - {name: edge%d}\n", i)
			}
			for i := range n {
				fmt.Fprintf(&in, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\n  namespace: shop\n  labels: {app: web}\ndata:\n  a: x\n  b: z\n", i)
			}
			items := fntest.Parse(b, "in.yaml", []byte(in.String()))
			for i, o := range items {
				o.SetPath("in.yaml", i)
			}
			if checkChain(b, items, "") {
				b.Fatal("refused")
			}
			bound := render(b, items, step{binding.Function, ""})
			b.ReportAllocs()
			for b.Loop() {
				render(b, bound, step{transform.Function, ""})
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}
