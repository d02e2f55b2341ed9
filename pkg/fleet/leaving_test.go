package fleet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// TestLeaving counts what a cluster loses that leaves: each object once, create-only objects and those in two works included.
func TestLeaving(t *testing.T) {
	created := holds("a", "CustomResourceDefinition", "PersistentVolumeClaim", "StatefulSet", "Deployment")
	created.settings = "  manifestConfigs:\n  - resourceIdentifier:\n      group: \"\"\n      resource: persistentvolumeclaims\n      namespace: shop\n      name: x\n    updateStrategy:\n      type: CreateOnly\n"
	ruled := holds("a", "PersistentVolumeClaim", "Deployment")
	ruled.settings = orphaning("PersistentVolumeClaim")
	data := []waybill.PreviewKind{{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition", Objects: 1}, {Kind: "PersistentVolumeClaim", Objects: 1}, {Group: "apps", Kind: "StatefulSet", Objects: 1}}
	let := fixture{name: "a", let: []string{"CustomResourceDefinition", "PersistentVolumeClaim", "StatefulSet"}}
	all := fixture{name: "a", let: []string{"CustomResourceDefinition", "PersistentVolumeClaim", "StatefulSet", "Deployment"}}
	cases := map[string]struct {
		reason        string
		before, after works
		want          []waybill.PreviewLeaving
	}{
		"All":    {"all of it", works{created, holds("b", "Deployment")}, nil, []waybill.PreviewLeaving{{Clusters: []string{"c"}, Deleted: 4, Data: data}}},
		"Some":   {"what has no entry", works{created}, works{let}, []waybill.PreviewLeaving{{Clusters: []string{"c"}, Deleted: 1, LeftBehind: 3, Kept: data}}},
		"None":   {"nothing", works{created}, works{all}, []waybill.PreviewLeaving{{Clusters: []string{"c"}, LeftBehind: 4, Kept: data}}},
		"Rule":   {"what its work lets stay", works{ruled}, nil, []waybill.PreviewLeaving{{Clusters: []string{"c"}, Deleted: 1, LeftBehind: 1, Kept: []waybill.PreviewKind{{Kind: "PersistentVolumeClaim", Objects: 1}}}}},
		"Ended":  {"a cluster that has left before does not leave again", works{all}, nil, nil},
		"Stays":  {"a cluster that keeps something", works{created, keep}, works{keep}, nil},
		"Nobody": {"or everything", works{created}, works{created}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := compared(t, treeOf(t, worksOf(tc.before...)), treeOf(t, worksOf(tc.after...))).Preview("")
			if diff := cmp.Diff(tc.want, p.Summary.Leaving); diff != "" {
				if len(tc.want)+len(p.Summary.Leaving) > 0 {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
			if len(p.Summary.Left) != len(tc.want) || len(p.Summary.Joined) > 0 {
				t.Errorf("%s: %q leave, %q join", tc.reason, p.Summary.Left, p.Summary.Joined)
			}
		})
	}
}
