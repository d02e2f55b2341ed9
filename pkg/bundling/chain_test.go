package bundling

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	resolving "github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestChain bundles what bind-resolve wrote: the versions it computed are those we compute, for
// every odd case that goes into one, and rendering twice is rendering once.
func TestChain(t *testing.T) {
	items := fntest.Parse(t, "package.yaml", []byte(chainPackage))
	for i, o := range items {
		o.SetPath("package.yaml", i)
	}
	once := chain(t, items)
	twice := chain(t, once)
	if d := cmp.Diff(text(t, once), text(t, twice)); d != "" {
		t.Errorf("a second render changes something (-want +got):\n%s", d)
	}
	works := ocmcheck.Works(once)
	if d := cmp.Diff([]string{"edge1/all-git-0", "edge2/all-git-0"}, names(works)); d != "" {
		t.Errorf("works (-want +got):\n%s", d)
	}
	for _, w := range works {
		if n := len(w.Lookup("spec", "workload", "manifests").Content); n != 6 {
			t.Errorf("%s holds %d manifests, want all 6 objects", w.Name(), n)
		}
	}
}

func chain(t *testing.T, items []*krm.Object) []*krm.Object {
	for _, f := range []*fn.Function{resolving.Function, ocmcheck.Watch(t, Function)} {
		out := f.Apply(context.Background(), &fn.Input{Items: items})
		if out.Failed() {
			t.Fatalf("%s: %v", f.Name, out.Results)
		}
		items = out.Items
	}
	return items
}

func names(objs []*krm.Object) (out []string) {
	for _, o := range objs {
		out = append(out, o.Namespace()+"/"+o.Name())
	}
	return out
}

func text(t *testing.T, items []*krm.Object) string {
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const chainPackage = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Service # no namespace, and fields that cleaning removes
metadata: {name: web, uid: x, annotations: {waybill.dev/origin: y}}
spec: {clusterIP: 10.0.0.1, ports: [{port: 80, nodePort: 31000}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop, name: "cfg", annotations: {control.kubestellar.io/expand-templates: "true"}}
data: {secret: x, line: "{{.clusterName}}"}
---
apiVersion: example.io/v1 # an unknown kind
kind: Gateway
metadata: {namespace: shop, name: g}
---
apiVersion: example.io/v1
kind: Anywhere
metadata: {name: unknown-scope}
---
apiVersion: batch/v1
kind: Job
metadata: {namespace: shop, name: j}
spec: {suspend: true, template: {metadata: {labels: {controller-uid: z}}}}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: scrub}
spec: {apiGroup: "", resource: configmaps, remove: [$.data.secret]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: all}
spec: {clusterSelectors: [{}], downsync: [{resources: ["*"]}]}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec: {clusters: [{name: edge1}, {name: edge2}]}
`
