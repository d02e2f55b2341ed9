package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// fleet is a package before any function ran, with what a hub says of two of its three clusters.
const fleet = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: shop}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync:
  - {resources: [deployments], statusCollectors: [ready], wantMultiWECReportedState: true}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: ready}
spec:
  combinedFields:
  - {name: clusters, type: COUNT}
  - {name: ready, type: SUM, subject: "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}
  limit: 20
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: edge0, labels: {site: edge}}
  - {name: edge1, labels: {site: edge}}
  - {name: edge2, labels: {site: edge}}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge0}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 3}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge1}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 3}
`

// TestUsualPipeline takes a package through all of our functions: works that it sends say nothing about
// clusters. Another render changes nothing; with writeStatus, nothing but what it ships, once.
func TestUsualPipeline(t *testing.T) {
	cases := map[string]struct {
		reason, config string
		settled        int // the render after which nothing changes
	}{
		"Default":     {"rendering twice is rendering once", "", 1},
		"WriteStatus": {"a label that was returned ships with the next render", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: options}\ndata: {writeStatus: 'true'}\n", 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := fntest.Parse(t, "fleet.yaml", []byte(fleet))
			for i, o := range items {
				o.SetPath("fleet.yaml", i)
			}
			var config *krm.Object
			if tc.config != "" {
				config = fntest.Parse(t, "config.yaml", []byte(tc.config))[0]
			}
			var renders []string
			for range tc.settled + 2 {
				items = renderOnce(t, items, config)
				renders = append(renders, text(t, items))
			}
			if want := "      float: \"3\"\n    - type: Number\n      float: \"6\"\n"; !strings.Contains(renders[0], want) {
				t.Errorf("want three clusters and six replicas:\n%s", renders[0])
			}
			for i := tc.settled; i < len(renders); i++ {
				if diff := cmp.Diff(renders[i-1], renders[i]); diff != "" {
					t.Errorf("%s (-render %d +render %d):\n%s", tc.reason, i, i+1, diff)
				}
			}
		})
	}
}

// renderOnce runs our functions, in the order of a usual pipeline.
func renderOnce(t *testing.T, items []*krm.Object, config *krm.Object) []*krm.Object {
	t.Helper()
	for _, f := range []*fn.Function{binding.Function, transform.Function, bundling.Function, combine.Function} {
		in := &fn.Input{Items: items}
		if f == combine.Function {
			in.Config = config
		}
		out := f.Apply(t.Context(), in)
		if out.Failed() {
			t.Fatal(fn.FormatResult(out.Results[0]))
		}
		items = out.Items
	}
	return items
}

func text(t *testing.T, items []*krm.Object) string {
	t.Helper()
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
