package binding

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const scopeItems = `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: edge1}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cfg, namespace: shop, labels: {tier: web}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: r}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: p}
spec:
  clusterSelectors: [{}]
  downsync:
  - `

// TestScopeTraps compares one clause each with a Namespace, an object in it and a cluster-scoped
// object: what is in scope of what, and the traps around it.
func TestScopeTraps(t *testing.T) {
	const space, cfg, role = "namespaces shop", "configmaps shop/cfg", "clusterroles r"
	cases := map[string]struct {
		reason, clause string
		want           []string
	}{
		"Namespaces":          {"a Namespace object is not in itself", "{namespaces: [shop]}", []string{cfg}},
		"NamespacesStar":      {"the star includes what has no namespace", `{namespaces: ["*"]}`, []string{space, role, cfg}},
		"NamespacesEmptyText": {"the empty text is the namespace of cluster-scoped objects", `{namespaces: [""]}`, []string{space, role}},
		"NamespacesEmptyList": {"an empty list is no restriction", `{namespaces: [], resources: ["*"]}`, []string{space, role, cfg}},
		"NamespacesStarAmong": {"the star counts beside other words", `{namespaces: [none, "*"]}`, []string{space, role, cfg}},
		"NamespacesGlob":      {"there is no globbing", `{namespaces: ["sh*"]}`, nil},
		"Selectors":           {"only what is in a namespace has labels of one", "{namespaceSelectors: [{matchLabels: {team: a}}]}", []string{cfg}},
		"SelectorsEmpty":      {"the empty selector needs no namespace", "{namespaceSelectors: [{}]}", []string{space, role, cfg}},
		"SelectorsEmptyToo":   {"the empty selector counts beside others", "{namespaceSelectors: [{matchLabels: {x: y}}, {}]}", []string{space, role, cfg}},
		"SelectorsNegative":   {"no namespace is not a namespace without the label", "{namespaceSelectors: [{matchExpressions: [{key: x, operator: DoesNotExist}]}]}", []string{cfg}},
		"SelectorsAutomatic":  {"live namespaces carry their name as a label", "{namespaceSelectors: [{matchLabels: {kubernetes.io/metadata.name: shop}}]}", []string{cfg}},
		"SelectorsNone":       {"an empty list of selectors is no restriction", "{namespaceSelectors: []}", []string{space, role, cfg}},
		"GroupCore":           {"the empty group is the core group", `{apiGroup: ""}`, []string{space, cfg}},
		"GroupStar":           {"there is no wildcard for groups", `{apiGroup: "*"}`, nil},
		"GroupAbsent":         {"no group is any group", "{objectNames: [r]}", []string{role}},
		"ResourceSingular":    {"resources are plurals", "{resources: [configmap]}", nil},
		"ResourceKind":        {"resources are not kinds", "{resources: [ConfigMap]}", nil},
		"ResourceShort":       {"resources are not short names", "{resources: [cm]}", nil},
		"ResourceSub":         {"subresources select nothing", "{resources: [namespaces/status]}", nil},
		"ResourceStarAmong":   {"the star counts beside other words", `{resources: [pods, "*"], objectNames: [cfg]}`, []string{cfg}},
		"NameGlob":            {"names are whole", `{objectNames: ["cf*"]}`, nil},
		"NameStarAmong":       {"the star counts beside other words", `{objectNames: [none, "*"]}`, []string{space, role, cfg}},
		"ObjectSelectors":     {"any selector will do", "{objectSelectors: [{matchLabels: {x: y}}, {matchLabels: {tier: web}}]}", []string{cfg}},
		"ObjectEmpty":         {"the empty selector matches objects without labels", "{objectSelectors: [{}]}", []string{space, role, cfg}},
		"ObjectNotIn":         {"an absent label is in no list", "{objectSelectors: [{matchExpressions: [{key: tier, operator: NotIn, values: [web]}]}]}", []string{space, role}},
		"ObjectAutomatic":     {"a Namespace object has the label that a live one has", "{objectSelectors: [{matchLabels: {kubernetes.io/metadata.name: shop}}]}", []string{space}},
		"ObjectAutomaticNot":  {"only a Namespace object has it", "{objectSelectors: [{matchExpressions: [{key: kubernetes.io/metadata.name, operator: DoesNotExist}]}]}", []string{role, cfg}},
		"ObjectAbsent":        {"an absent label does not exist", "{objectSelectors: [{matchExpressions: [{key: tier, operator: DoesNotExist}]}]}", []string{space, role}},
		"ObjectANDed":         {"all parts of one selector must hold", "{objectSelectors: [{matchLabels: {tier: web}, matchExpressions: [{key: x, operator: Exists}]}]}", nil},
		"ResourceCase":        {"plurals are lower-case", "{resources: [ConfigMaps]}", nil},
		"PartsAreANDed":       {"all parts must hold", `{apiGroup: "", resources: [configmaps], namespaces: [shop], objectNames: [other]}`, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			bindings := run(t, scopeItems+tc.clause+"\n")
			if d := cmp.Diff(tc.want, selected(bindings["p"])); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func parse(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objs, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

// run resolves and returns the Bindings by name.
func run(t testing.TB, text string) map[string]*control.Binding {
	t.Helper()
	return bindingsOf(t, Function.Apply(context.Background(), &fn.Input{Items: parse(t, text)}))
}

func bindingsOf(t testing.TB, out *fn.Output) map[string]*control.Binding {
	t.Helper()
	if out.Failed() {
		t.Fatalf("it failed: %s", fn.FormatResult(out.Results[0]))
	}
	bindings := map[string]*control.Binding{}
	for _, o := range out.Items {
		if o.Is(control.Group, control.KindBinding) {
			b, errs := control.DecodeBinding(o)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			bindings[b.Name] = b
		}
	}
	return bindings
}

// selected lists objects in the Binding's order.
func selected(b *control.Binding) (out []string) {
	for _, o := range b.Spec.Workload.ClusterScope {
		out = append(out, o.Resource+" "+o.Name)
	}
	for _, o := range b.Spec.Workload.NamespaceScope {
		out = append(out, o.Resource+" "+o.Namespace+"/"+o.Name)
	}
	return slices.Clip(out)
}
