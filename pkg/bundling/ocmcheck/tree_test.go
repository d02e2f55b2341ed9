package ocmcheck

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func TestTree(t *testing.T) {
	const good = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge, name: shop-0}\nspec: {workload: {manifests: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]}}\n"
	cases := map[string]struct {
		reason string
		files  map[string][]byte
		works  int
		faults []string
	}{
		"None":       {"files without works are left alone", map[string][]byte{"a.yaml": []byte("{"), "b.md": []byte("kind: ManifestWork")}, 0, nil},
		"Good":       {"works are counted", map[string][]byte{"a.yaml": []byte(good)}, 1, nil},
		"Same":       {"one name in two files is a fault", map[string][]byte{"a.yaml": []byte(good), "b.yml": []byte(good)}, 2, []string{"works[1] edge/shop-0: a second work of this namespace and name"}},
		"Local":      {"what is never applied need not be taken", map[string][]byte{"a.yaml": []byte("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge, name: shop-0, annotations: {config.kubernetes.io/local-config: \"true\"}}\nstatus: {}\n")}, 0, nil},
		"Unreadable": {"a work that cannot be read is a fault", map[string][]byte{"a.yaml": []byte("kind: ManifestWork\nkind: ManifestWork\n")}, 0, []string{"a.yaml: document 1, line 2: field \"kind\" is given twice (first 1 lines above); remove one"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tree, err := pkgtree.New(tc.files)
			if err != nil {
				t.Fatal(err)
			}
			works, faults := Tree(tree)
			if works != tc.works {
				t.Errorf("%s: %d works, want %d", tc.reason, works, tc.works)
			}
			if diff := cmp.Diff(tc.faults, faults); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
