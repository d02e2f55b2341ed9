package binding

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestVerdictsAreBindings checks that the verdict on every policy, cluster and object of random packages is what is in the
// Bindings.
func TestVerdictsAreBindings(t *testing.T) {
	yes, no := 0, 0
	testenv.Checks(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		w := drawPackage(t)
		in := &fn.Input{Items: w.items(t)}
		out := Function.Apply(context.Background(), in)
		x, err := NewExplainer(in)
		if err != nil || out.Failed() {
			t.Fatal(err, out.Results)
		}
		for _, o := range in.Items {
			for i := range x.Inventory().Clusters {
				c := &x.Inventory().Clusters[i]
				for _, v := range x.Evaluate(c.Labels, o) {
					b := bindingIn(t, out.Items, v.Policy.Name())
					bound := binds(b, x, o)
					goes := slices.Contains(b.Spec.Destinations, control.Destination{ClusterID: c.Name})
					if v.SelectsObject() != bound || bound && x.NotSelectable(o) != "" || v.SelectsCluster() != goes || v.Objects != len(selected(b)) {
						t.Fatalf("%s: %+v about %s and %s, and its Binding says %t and %t", v.Policy.Describe(), v, o.Describe(), c.Name, bound, goes)
					}
					if v.SelectsObject() {
						yes++
					} else {
						no++
					}
				}
			}
		}
	})
	if !testenv.Short() && (yes < 100 || no < 100) {
		t.Errorf("%d objects are selected and %d are not: too few to tell much", yes, no)
	}
}

// binds reports whether a Binding names o.
func binds(b *control.Binding, x *Explainer, o *krm.Object) bool {
	kind, namespace := x.Resources().Of(o).Plural, x.Resources().NamespaceOf(o)
	return slices.ContainsFunc(b.Spec.Workload.ClusterScope, func(e control.ClusterScopeObject) bool {
		return namespace == "" && e.Group == o.Group() && e.Resource == kind && e.Name == o.Name()
	}) || slices.ContainsFunc(b.Spec.Workload.NamespaceScope, func(e control.NamespaceScopeObject) bool {
		return e.Group == o.Group() && e.Resource == kind && e.Namespace == namespace && e.Name == o.Name()
	})
}

func TestTerms(t *testing.T) {
	const packageText = `apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: i}
spec: {clusters: [{name: c, labels: {tier: prod, old: ""}}]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: p}
spec:
  clusterSelectors:
  - matchLabels: {tier: test}
    matchExpressions: [{key: tier, operator: In, values: [b, prod]}, {key: old, operator: DoesNotExist}, {key: new, operator: Exists}, {key: tier, operator: NotIn, values: [test]}]
  downsync:
  - {apiGroup: "", resources: [secrets, configmaps], namespaces: [a, ""], objectNames: [x], namespaceSelectors: [{matchLabels: {n: "1"}}], objectSelectors: [{matchLabels: {a: "1", b: "2"}}, {matchLabels: {a: "2"}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: shop, labels: {a: "1"}}
`
	items := parse(t, packageText)
	x, err := NewExplainer(&fn.Input{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	v := x.Evaluate(x.Inventory().Clusters[0].Labels, items[2])[0]
	text := func(s string) *string { return &s }
	want := []match.Test{{
		{Of: "clusterSelectors", Wants: "new", Holds: false, Have: nil}, {Of: "clusterSelectors", Wants: "!old", Holds: false, Have: text("")},
		{Of: "clusterSelectors", Wants: "tier=test", Holds: false, Have: text("prod")}, {Of: "clusterSelectors", Wants: "tier in (b,prod)", Holds: true, Have: text("prod")},
		{Of: "clusterSelectors", Wants: "tier!=test", Holds: true, Have: text("prod")},
	}, {
		{Of: "apiGroup", Wants: `""`, Holds: true, Have: text("")}, {Of: "resources", Wants: "configmaps, secrets", Holds: true, Have: text("configmaps")},
		{Of: "namespaces", Wants: `"", a`, Holds: false, Have: text("shop")}, {Of: "namespaceSelectors", Wants: "n=1", Holds: false, Have: nil},
		{Of: "objectSelectors", Wants: "a=1", Holds: true, Have: text("1")}, {Of: "objectSelectors", Wants: "b=2", Holds: false, Have: nil}, // lacks as much as the other, and comes first
		{Of: "objectNames", Wants: "x", Holds: false, Have: text("cm")},
	}}
	if diff := cmp.Diff(want, []match.Test{v.Clusters[0], v.Clauses[0]}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
