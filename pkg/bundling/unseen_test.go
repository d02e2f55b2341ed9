package bundling

import (
	"strings"
	"testing"

	resolving "github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

const unseenPackage = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: all}
spec: {clusterSelectors: [{}], downsync: [{resources: ["*"]}]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: scrub}
spec: {apiGroup: "", resource: configmaps, remove: [$.data.secret]}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec: {clusters: [{name: edge}]}
`

const departedWork = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata:
  name: all-git-0
  namespace: gone
  annotations:
    waybill.dev/generated-by: bundle-manifestwork
spec:
  workload:
    manifests:
    - apiVersion: v1
      kind: ConfigMap
      metadata:
        name: a
        namespace: shop
      data: [nobody, parses, this
`

// TestWorksAreNotLookedInto holds that the chain parses no earlier work that it need not: on a
// fleet, that costs more than everything else. To parse this one would find it broken.
func TestWorksAreNotLookedInto(t *testing.T) {
	var items []*krm.Object
	for name, text := range map[string]string{"package.yaml": unseenPackage, "work.yaml": departedWork} {
		objs, err := krm.ReadLazy(name, []byte(text), krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range objs {
			o.SetPath(name, i)
		}
		items = append(items, objs...)
	}
	all := items
	for _, f := range []*fn.Function{resolving.Function, transform.Function, Function} {
		out := f.Apply(t.Context(), &fn.Input{Items: items})
		if out.Failed() {
			t.Fatalf("%s: %v", f.Name, out.Results)
		}
		for _, o := range all {
			if err := o.Fault(); err != nil {
				t.Fatalf("%s looked into %s: %v", f.Name, o.Describe(), err)
			}
		}
		items = out.Items
	}
	for _, o := range items {
		if strings.HasPrefix(o.Describe(), "ManifestWork gone/") {
			t.Errorf("%s is still there", o.Describe())
		}
	}
}
