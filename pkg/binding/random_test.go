package binding

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var (
	namespaceSelectors = []string{"b", "b-c", "b-d", "default"}
	names              = []string{"web", "web-1", "a", "z"}
	someMap            = rapid.MapOfN(rapid.SampledFrom([]string{"k", "x"}), rapid.SampledFrom([]string{"a", "b", ""}), 0, 2)
	kinds              = []thing{
		{version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true},
		{version: "v1", kind: "Namespace", plural: "namespaces"},
		{version: "v1", kind: "Node", plural: "nodes"},
		{group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true},
		{group: "apps", version: "v1beta1", kind: "StatefulSet", plural: "statefulsets", namespaced: true},
		{group: "apps.example", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true},
		{group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", plural: "endpointslices", namespaced: true},
		{group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", plural: "clusterroles"},
		{group: "policy", version: "v1", kind: "Eviction", plural: "evictions", namespaced: true},
		{group: "garden.example", version: "v1", kind: "Cactus", plural: "cacti"},
		{group: "gateway.networking.k8s.io", version: "v1", kind: "Gateway", plural: "gateways", namespaced: true},
	}
	// plurals are those that clauses of random packages name.
	plurals = []string{"configmaps", "deployments", "namespaces", "nodes", "clusterroles", "evictions", "cacti", "gateways", "cactuses"}
)

func drawThing(t *rapid.T) thing {
	o := rapid.SampledFrom(kinds).Draw(t, "kind")
	o.labels = someMap.Draw(t, "labels")
	o.name = rapid.SampledFrom(names).Draw(t, "name")
	if o.kind == "Namespace" {
		o.name = rapid.SampledFrom(namespaceSelectors).Draw(t, "space")
	}
	if o.namespaced {
		o.namespace = rapid.SampledFrom(namespaceSelectors).Draw(t, "namespace")
	}
	return o
}

func drawSelector(t *rapid.T) metav1.LabelSelector {
	s := metav1.LabelSelector{MatchLabels: someMap.Draw(t, "matchLabels")}
	for range rapid.IntRange(0, 1).Draw(t, "expressions") {
		e := metav1.LabelSelectorRequirement{
			Key:      rapid.SampledFrom([]string{"k", "x", "kubernetes.io/metadata.name"}).Draw(t, "key"),
			Operator: rapid.SampledFrom([]metav1.LabelSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist"}).Draw(t, "operator"),
		}
		if strings.HasSuffix(string(e.Operator), "In") {
			e.Values = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "default", "b-c"}), 1, 2).Draw(t, "values")
		}
		s.MatchExpressions = append(s.MatchExpressions, e)
	}
	return s
}

func drawWords(t *rapid.T, what string, from ...string) []string {
	if rapid.IntRange(0, 2).Draw(t, "has "+what) > 0 {
		return nil // parts that are rare let several clauses match one object
	}
	return rapid.SliceOfN(rapid.SampledFrom(append(slices.Clip(from), "*", "none")), 1, 3).Draw(t, what)
}

func drawClause(t *rapid.T) control.DownsyncClause {
	selectors := rapid.OneOf(rapid.Just([]metav1.LabelSelector(nil)), rapid.SliceOfN(rapid.Custom(drawSelector), 0, 2))
	c := control.DownsyncClause{ObjectTest: control.ObjectTest{
		Resources:          drawWords(t, "resources", plurals...),
		Namespaces:         drawWords(t, "namespaces", append(slices.Clip(namespaceSelectors), "")...),
		ObjectNames:        drawWords(t, "names", names...),
		ObjectSelectors:    selectors.Draw(t, "objectSelectors"),
		NamespaceSelectors: selectors.Draw(t, "namespaceSelectors"),
	}}
	if rapid.IntRange(0, 3).Draw(t, "grouped") == 0 {
		group := rapid.SampledFrom([]string{"", "apps", "apps.example", "garden.example"}).Draw(t, "group")
		c.APIGroup = &group
	}
	if c.Validate(nil) != nil {
		c.ObjectNames = []string{} // presence is all that is asked for
	}
	c.CreateOnly = rapid.Bool().Draw(t, "createOnly")
	c.WantSingletonReportedState = rapid.Bool().Draw(t, "singleton")
	c.WantMultiWECReportedState = rapid.Bool().Draw(t, "multi")
	c.StatusCollectors = rapid.SliceOfN(rapid.SampledFrom([]string{"s", "t", "u"}), 0, 2).Draw(t, "collectors")
	return c
}

func drawPackage(t *rapid.T) *randomPackage {
	w := &randomPackage{
		clusters: rapid.MapOfN(rapid.SampledFrom([]string{"c1", "c10", "c2", "c3"}), someMap, 1, 4).Draw(t, "clusters"),
		policies: map[string]control.BindingPolicySpec{},
	}
	w.things = rapid.SliceOfNDistinct(rapid.Custom(drawThing), 3, 14, thing.identity).Draw(t, "things")
	for _, name := range []string{"p", "q"} {
		w.policies[name] = control.BindingPolicySpec{
			ClusterSelectors: rapid.SliceOfN(rapid.Custom(drawSelector), 0, 2).Draw(t, "clusterSelectors"),
			Downsync:         rapid.SliceOfN(rapid.Custom(drawClause), 0, 3).Draw(t, "downsync"),
		}
	}
	return w
}

// items are the objects of the package.
func (w *randomPackage) items(t rapid.TB) (out []*krm.Object) {
	add := func(apiVersion, kind string, meta map[string]any, spec any) {
		o, err := krm.FromTyped(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		o.SetPath("in.yaml", len(out))
		out = append(out, o)
	}
	for _, k := range kinds[len(kinds)-2:] { // the two that no API server of its own accord has
		scope := map[bool]string{true: "Namespaced", false: "Cluster"}[k.namespaced]
		meta := map[string]any{"name": k.plural + "." + k.group, "annotations": map[string]string{"config.kubernetes.io/local-config": "true"}}
		add("apiextensions.k8s.io/v1", "CustomResourceDefinition", meta, map[string]any{"group": k.group, "scope": scope,
			"names": map[string]string{"kind": k.kind, "plural": k.plural}})
	}
	for name, labels := range w.clusters {
		add("cluster.open-cluster-management.io/v1", "ManagedCluster", map[string]any{"name": name, "labels": labels}, nil)
	}
	for _, o := range w.things {
		meta := map[string]any{"name": o.name, "labels": o.labels}
		builtin := o.group != "apps.example" // the scope of others is unknown, and so is namespace default
		if o.namespace != "" && (!builtin || o.namespace != "default") {
			meta["namespace"] = o.namespace
		}
		add(strings.TrimPrefix(o.group+"/"+o.version, "/"), o.kind, meta, nil)
	}
	for name, spec := range w.policies {
		add(control.APIVersion, control.KindBindingPolicy, map[string]any{"name": name}, spec)
	}
	return out
}
