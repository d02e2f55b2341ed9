package combine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// shop is what a package has before any function ran.
const shop = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: shop}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync:
  - {resources: [configmaps]}
  - {resources: [deployments], statusCollectors: [ready, none]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: ready}
spec:
  combinedFields:
  - {name: clusters, type: COUNT}
  - {name: ready, type: SUM, subject: "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}
  limit: 20
`

// report is what one cluster says about the Deployment.
const report = `
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: %s}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: %d}
`

// fleet is the package with an inventory of so many clusters, of which so many report 3 replicas each.
func fleet(t testing.TB, clusters, reporting int) []*krm.Object {
	t.Helper()
	var b strings.Builder
	b.WriteString(shop + "---\napiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec:\n  clusters:\n")
	for i := range clusters {
		fmt.Fprintf(&b, "  - {name: edge%d, labels: {site: edge}}\n", i)
	}
	for i := range reporting {
		fmt.Fprintf(&b, report, fmt.Sprintf("edge%d", i), 3)
	}
	return parse(t, b.String())
}

func parse(t testing.TB, text string) []*krm.Object {
	t.Helper()
	items, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range items {
		o.SetPath("in.yaml", i)
	}
	return items
}

// apply runs a function that has to pass.
func apply(t testing.TB, f *fn.Function, items []*krm.Object) []*krm.Object {
	t.Helper()
	out := f.Apply(t.Context(), &fn.Input{Items: items})
	if out.Failed() {
		t.Fatal(fn.FormatResult(out.Results[0]))
	}
	return out.Items
}

func text(t testing.TB, items []*krm.Object) string {
	t.Helper()
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSummary wants everything that Bindings name, collectors or not.
func TestSummary(t *testing.T) {
	s, err := combine.NewSummary(t.Context(), apply(t, binding.Function, fleet(t, 3, 2)), combine.DefaultOptions())
	if err != nil || s.Failed() {
		t.Fatal(err, s.Results)
	}
	type row struct {
		Subject                          string
		Destinations, Reporting, Missing []string
		Results                          int
	}
	all, some := []string{"edge0", "edge1", "edge2"}, []string{"edge0", "edge1"}
	want := []row{
		{`ConfigMap shop/settings under BindingPolicy "shop"`, all, nil, nil, -1},
		{`Deployment shop/web under BindingPolicy "shop"`, all, some, []string{"none"}, 1},
	}
	var got []row
	for _, o := range s.Objects {
		r := row{o.Subject.String(), o.Destinations, o.Reporting, o.Missing, -1}
		if o.Combined != nil {
			r.Results = len(o.Combined.Results)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCancelled wants no half result.
func TestCancelled(t *testing.T) {
	items := apply(t, binding.Function, fleet(t, 3, 2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := combine.NewSummary(ctx, items, combine.DefaultOptions()); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("want the error of the context, got %v, %v", s, err)
	}
	out := combine.Function.Apply(ctx, &fn.Input{Items: items})
	if !out.Failed() || !slices.Equal(out.Items, items) {
		t.Errorf("want an error and the input's items, got %d results", len(out.Results))
	}
}

// TestPath holds the place of a CombinedStatus, which people and tools rely on.
func TestPath(t *testing.T) {
	cases := map[string]struct {
		reason string
		about  status.Subject
		want   string
	}{
		"Namespaced": {"kind and name in the folder of the namespace", status.Subject{Kind: "Deployment", Namespace: "shop", Name: "web", Policy: "p"}, "status/p/shop/deployment_web.yaml"},
		"Cluster":    {"no namespace is called that", status.Subject{Kind: "Namespace", Name: "shop", Policy: "p"}, "status/p/_cluster/namespace_shop.yaml"},
		"Hostile":    {"a kind cannot leave the folder", status.Subject{Kind: "../../X", Namespace: "shop", Name: "web", Policy: "p"}, "status/p/shop/%2E%2E%2F%2E%2E%2Fx_web.yaml"},
		"Long":       {"nor be too long for a file name", status.Subject{Kind: strings.Repeat("k", 300), Namespace: "shop", Name: "web", Policy: "p"}, "status/p/shop/" + strings.Repeat("k", 100) + "_web.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, combine.Path(tc.about)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestProblems wants every cluster that does not have what was sent apart from those that report, and those that
// are silent.
func TestProblems(t *testing.T) {
	items := parse(t, `
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  workload: {namespaceScope: [{group: apps, version: v1, resource: deployments, namespace: shop, name: web, resourceVersion: ""}]}
  destinations: [{clusterId: a}, {clusterId: b}, {clusterId: c}, {clusterId: d}, {clusterId: e}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
`)
	for cluster, conditions := range map[string]string{
		"a": `{type: Applied, status: "True", observedGeneration: 2}`, "b": `{type: Applied, status: "False", message: immutable}`,
		"c": `{type: Available, status: "False", message: gone}`, "d": `{type: Applied, status: "True", observedGeneration: 1}`,
	} {
		items = append(items, parse(t, fmt.Sprintf(`{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {name: w, namespace: %s, generation: 2},
status: {resourceStatus: {manifests: [{resourceMeta: {group: apps, version: v1, kind: Deployment, resource: deployments, namespace: shop, name: web}, conditions: [%s]}]}}}`, cluster, conditions))...)
	}
	s, err := combine.NewSummary(t.Context(), items, combine.DefaultOptions())
	if err != nil || s.Failed() || len(s.Objects) != 1 {
		t.Fatal(err, s)
	}
	o := s.Objects[0]
	want := []combine.Problem{{"b", reports.Failed, "immutable"}, {"c", reports.Missing, "gone"}, {"d", reports.Stale, "the report is about generation 1 of the work, which is at generation 2"}}
	if diff := cmp.Diff(want, o.Problems) + cmp.Diff([]string{"a"}, o.Reporting) + cmp.Diff([]string{"e"}, o.Silent()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got []string
	for _, r := range s.Failures() {
		got = append(got, fn.FormatResult(r))
	}
	if diff := cmp.Diff([]string{
		`[warning] Deployment shop/web (in.yaml) Binding "shop": apply failed in 1 of 5 clusters: "b": immutable`,
		`[warning] Deployment shop/web (in.yaml) Binding "shop": the object is missing in 1 of 5 clusters: "c": gone`,
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
