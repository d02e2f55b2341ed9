package workload

import "testing"

func TestMeaning(t *testing.T) {
	r := resources(t, nil, "AList.t.io=alists,Cluster")
	cases := map[string]struct {
		reason, text         string
		workload, selectable bool
		namespace            string
	}{
		"Ordinary":      {"an object with a namespace is where it says", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}", true, true, "shop"},
		"NoNamespace":   {"an API server would use default", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}", true, true, "default"},
		"Cluster":       {"a cluster-scoped object is nowhere", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}", true, true, ""},
		"ClusterInNS":   {"an API server clears the namespace of a cluster-scoped object", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, namespace: b}", true, true, ""},
		"Unknown":       {"a kind of unknown scope is where it says", "apiVersion: x.io/v1\nkind: X\nmetadata: {name: a}", true, true, ""},
		"UnknownInNS":   {"a kind of unknown scope is where it says", "apiVersion: x.io/v1\nkind: X\nmetadata: {name: a, namespace: b}", true, true, "b"},
		"NoName":        {"nothing can refer to an object without a name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a}", false, true, "a"},
		"Local":         {"local configuration stays at home", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: x}}", false, true, "default"},
		"NotLocal":      {"the value false means that it is not local", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: 'false'}}", true, true, "default"},
		"Generated":     {"generated objects are no input, whichever function made them", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {waybill.dev/generated-by: x}}", false, true, "default"},
		"Kptfile":       {"a package is no workload, in any group", "apiVersion: other/v1\nkind: Kptfile\nmetadata: {name: a}", false, true, ""},
		"Context":       {"the package context is about the package", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}", false, true, "default"},
		"Properties":    {"properties of clusters are inventory", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: edge1, namespace: customization-properties}", false, true, "customization-properties"},
		"SecretThere":   {"only ConfigMaps are", "apiVersion: v1\nkind: Secret\nmetadata: {name: edge1, namespace: customization-properties}", true, true, "customization-properties"},
		"Cluster OCM":   {"the fleet is no workload", "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: a}", false, true, ""},
		"Work":          {"neither are works", "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: a, namespace: b}", false, true, "b"},
		"Policy":        {"control objects are excluded by their group", "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: a}", true, false, ""},
		"Event":         {"excluded by group and resource", "apiVersion: v1\nkind: Event\nmetadata: {name: a, namespace: b}", true, false, "b"},
		"OtherEvent":    {"the same resource in another group is not", "apiVersion: x.io/v1\nkind: Event\nmetadata: {name: a, namespace: b}", true, true, "b"},
		"OtherNode":     {"a plural of nodes elsewhere is not", "apiVersion: x.io/v1\nkind: Node\nmetadata: {name: a}", true, true, ""},
		"EndpointSlice": {"excluded by group", "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: a, namespace: b}", true, false, "b"},
		"Review":        {"what cannot be watched cannot be selected", "apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nmetadata: {name: a}", true, false, ""},
		"List":          {"a list with a name is no object", "apiVersion: v1\nkind: List\nmetadata: {name: a}\nitems: []", true, false, ""},
		"KnownList":     {"nor is that of a known kind", "apiVersion: apps/v1\nkind: DeploymentList\nmetadata: {name: a}\nitems: []", true, false, ""},
		"ListOfItems":   {"nor one whose items are of its kind", "apiVersion: x.io/v1\nkind: AList\nmetadata: {name: a}\nitems: [{kind: A, metadata: {name: b}}]", true, false, ""},
		"PlainItems":    {"items without metadata are no objects", "apiVersion: x.io/v1\nkind: AList\nmetadata: {name: a}\nitems: [{kind: A}]", true, true, ""},
		"OtherItems":    {"a kind that has items may be one of its own", "apiVersion: x.io/v1\nkind: AList\nmetadata: {name: a}\nitems: [{kind: B}]", true, true, ""},
		"NoItems":       {"and one without items is", "apiVersion: x.io/v1\nkind: AList\nmetadata: {name: a}", true, true, ""},
		"Taught":        {"a taught kind is one", "apiVersion: t.io/v1\nkind: AList\nmetadata: {name: a}\nitems: [{kind: A}]", true, true, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := parse(t, tc.text)[0]
			if got := IsWorkload(o); got != tc.workload {
				t.Errorf("%s: IsWorkload: want %t, got %t", tc.reason, tc.workload, got)
			}
			if got := r.Selectable(o); got != tc.selectable {
				t.Errorf("%s: Selectable: want %t, got %t", tc.reason, tc.selectable, got)
			}
			if got := r.NamespaceOf(o); got != tc.namespace {
				t.Errorf("%s: NamespaceOf: want %q, got %q", tc.reason, tc.namespace, got)
			}
		})
	}
}
