package bundling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// TestRunOutOfAllowance bundles with less left for templates than the run needs. It ends at one
// object and one cluster, the same whatever the order of items, and says so once.
func TestRunOutOfAllowance(t *testing.T) {
	const more = `apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop, name: d, annotations: {control.kubestellar.io/expand-templates: "true"}}
data: {k: "{{.v}}", l: "{{.w}}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop, name: c, annotations: {control.kubestellar.io/expand-templates: "true"}}
data: {k: "{{.v}}"}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: also}
spec:
  workload:
    namespaceScope:
    - {group: "", version: v1, resource: configmaps, namespace: shop, name: d, resourceVersion: ""}
  destinations: [{clusterId: edge1}, {clusterId: edge2}]
`
	const at, way = "template: edge", " that all objects and clusters share; the rest was not tried; render fewer clusters at a time, or use fewer and smaller loops"
	const steps = ": here the templates of this run used up the 1000000000 steps" + way
	cases := map[string]struct {
		reason string
		left   expansion.Allowance
		want   []string
	}{
		"Enough":    {"8 steps for object d, 4 for c, each twice", expansion.Allowance{Work: 24, Bytes: 100}, nil},
		"LastOne":   {"Bindings by name, their clusters in order", expansion.Allowance{Work: 23, Bytes: 100}, []string{at + "2/ConfigMap(shop/c)" + steps}},
		"FirstOne":  {"nothing is tried after that, for no Binding", expansion.Allowance{Work: 7, Bytes: 100}, []string{at + "1/ConfigMap(shop/d)" + steps}},
		"InBetween": {"not for the next cluster either", expansion.Allowance{Work: 15, Bytes: 100}, []string{at + "2/ConfigMap(shop/d)" + steps}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := append(fntest.Parse(t, "in.yaml", []byte(more)), fleetOf(t, map[string]string{"v": "a", "w": "b"})...)
			b := newBundler(items, defaultOptions())
			b.allowance = &tc.left
			b.bundle(items)
			var got []string
			for _, r := range b.results {
				got = append(got, r.Message)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
