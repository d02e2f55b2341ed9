package index

import (
	"strings"
	"testing"
)

// TestHandsOver takes what a work hands over for no delivery of it.
func TestHandsOver(t *testing.T) {
	work := func(cluster, name, annotation, settings string) string {
		return "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: " + cluster + "\n  name: " + name + "\n" + annotation +
			"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: x\n        namespace: shop\n" + settings
	}
	const annotation = "  annotations:\n    waybill.dev/hand-over: \"1\"\n"
	const rule = "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n      - {group: \"\", resource: configmaps, namespace: shop, name: x}\n"
	tree := treeOf(t, map[string]string{
		"clusters/a/old.yaml": work("a", "old", annotation, rule), "clusters/a/new.yaml": work("a", "new", "", ""), "clusters/b/old.yaml": work("b", "old", annotation, rule)})
	a, err := Of(tree, fleetOf(t, tree), nil)
	if err != nil || len(a.Clusters) != 2 {
		t.Fatal(err, a)
	}
	for _, c := range a.Clusters {
		for _, l := range c.Loads {
			n, lets := a.Count(&l), 0
			for _, o := range l.HandsOver {
				if lets++; a.Objects[o].Name != "x" || a.Objects[o].Itself {
					t.Errorf("%s/%s hands over %v", c.Name, l.Work, a.Objects[o])
				}
			}
			if old := l.Work == "old"; n != map[bool]int{true: 0, false: 1}[old] || lets != 1-n || strings.Contains(l.File, "old") != old {
				t.Errorf("%s/%s: %d objects, %d handed over", c.Name, l.Work, n, lets)
			}
		}
	}
}
