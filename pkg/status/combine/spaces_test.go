package combine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// spaceBinding is a Binding without objects.
const spaceBinding = "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: shop}\nspec: {destinations: [{clusterId: a}]}\n"

// spaceWork is a ManifestWork of a workload space and a Binding, with more of its metadata and of its top level.
func spaceWork(name, space, binding, metadata, rest string) string {
	return fmt.Sprintf("---\napiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: a, name: %s, labels: "+
		"{transport.kubestellar.io/originWdsName: %s, transport.kubestellar.io/originOwnerReferenceBindingKey: %s}%s}\n"+
		"spec: {workload: {manifests: [{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}]}}\n%s", name, space, binding, metadata, rest)
}

// TestSpaces wants the workload spaces that a package is about.
func TestSpaces(t *testing.T) {
	const status = "status: {}\n"
	cases := map[string]struct {
		reason, items  string
		sent, reported []string
	}{
		"Nothing":  {"no work says anything", "", nil, nil},
		"Sent":     {"works with a status are reports", spaceWork("w", "one", "shop", "", "") + spaceWork("r", "two", "shop", "", status), []string{"one"}, []string{"one", "two"}},
		"Reported": {"a package without works has reports about its Bindings", spaceWork("r", "two", "shop", "", status), nil, []string{"two"}},
		"Others":   {"works and reports of another's Bindings do not count", spaceWork("r", "two", "stock", "", status) + spaceWork("w", "one", "stock", "", ""), nil, nil},
		"Several":  {"all, in order", spaceWork("w", "two", "shop", "", "") + spaceWork("v", "one", "shop", "", ""), []string{"one", "two"}, []string{"one", "two"}},
		"HandOver": {"a work of the space before that only hands over is not sent", spaceWork("w", "old", "shop", `, annotations: {waybill.dev/hand-over: "1"}`, "") +
			spaceWork("v", "new", "shop", "", ""), []string{"new"}, []string{"new", "old"}},
		"Entries": {"one that has other objects is", spaceWork("w", "old", "shop", `, annotations: {waybill.dev/hand-over: "0"}`, ""), []string{"old"}, []string{"old"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := parse(t, spaceBinding+tc.items)
			if diff := cmp.Diff(tc.sent, combine.SentSpaces(items)) + cmp.Diff(tc.reported, combine.ReportedSpaces(items)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNamesByTemplates wants the reports about objects that have another name in each cluster.
func TestNamesByTemplates(t *testing.T) {
	items := parse(t, `
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  workload: {namespaceScope: [{group: "", version: v1, resource: configmaps, namespace: "{{.team}}", name: "{{.clusterName}}-x", resourceVersion: ""}]}
  destinations: [{clusterId: a}, {clusterId: b}, {clusterId: c}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{.clusterName}}-x", namespace: "{{.team}}", annotations: {control.kubestellar.io/expand-templates: "true"}}
data: {broken: "{{"}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters: [{name: a, labels: {team: red}}, {name: b, labels: {team: blue}}, {name: c}]
`)
	for cluster, place := range map[string]string{"a": "namespace: red, name: a-x", "b": "namespace: red, name: b-x", "c": `namespace: "{{.team}}", name: "{{.clusterName}}-x"`} {
		items = append(items, parse(t, fmt.Sprintf(`{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {name: w, namespace: %s},
status: {resourceStatus: {manifests: [{resourceMeta: {group: "", version: v1, kind: ConfigMap, resource: configmaps, %s}, conditions: [{type: Applied, status: "True"}]}]}}}`, cluster, place))...)
	}
	s, err := combine.NewSummary(t.Context(), items, combine.DefaultOptions())
	if err != nil || s.Failed() || len(s.Objects) != 1 {
		t.Fatal(err, s)
	}
	if diff := cmp.Diff([]string{"a"}, s.Objects[0].Reporting) + cmp.Diff([]string{"b", "c"}, s.Objects[0].Silent()); diff != "" {
		t.Errorf("b reports about another namespace, and c has no team (-want +got):\n%s", diff)
	}
}
