package render

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const bareKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: root\n"

// committedWork is a work that was generated earlier, with so many objects.
func committedWork(cluster, objects int) string {
	text := fmt.Sprintf("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: edge-%d\n  name: w\n"+
		"  annotations:\n    waybill.dev/generated-by: bundle-manifestwork\nspec:\n  workload:\n    manifests:\n", cluster)
	for i := range objects {
		text += fmt.Sprintf("    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: c-%d\n      data:\n        cluster: \"%d\"\n"+
			"        script: |\n          echo [ {\n", i, cluster)
	}
	return text
}

// committedFleet is a package of works and nothing that generates them.
func committedFleet(t testing.TB, clusters, objects int, edit func(file, text string) string) pkgtree.Tree {
	blobs := map[string]*pkgtree.Blob{"Kptfile": pkgtree.NewBlob([]byte(bareKptfile))}
	for i := range clusters {
		file := fmt.Sprintf("clusters/edge-%d/shop/0.yaml", i)
		blobs[file] = pkgtree.PackBlob([]byte(edit(file, committedWork(i, objects))))
	}
	tree, err := pkgtree.FromBlobs(blobs)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestCommittedWorks renders works without a pipeline: they stay as they are, and a damaged one is named, wherever the damage is.
func TestCommittedWorks(t *testing.T) {
	const hit = "clusters/edge-7/shop/0.yaml"
	for name, tc := range map[string]struct{ old, new, want string }{
		"whole":         {"", "", ""},
		"other style":   {"        cluster: \"7\"\n", "        cluster:   \"7\" # seven\n", ""},
		"flow":          {"      data:\n        cluster: \"7\"\n        script: |\n          echo [ {\n", "      data: {cluster: \"7\"}\n", ""},
		"alias":         {"        cluster: \"7\"\n", "        cluster: &c \"7\"\n        again: *c\n", ""},
		"open bracket":  {"cluster: \"7\"\n", "cluster: [7\n", hit + ": document 1, line 17: not valid YAML"},
		"open quote":    {"cluster: \"7\"\n", "cluster: \"7\n", hit + ": document 1, line "},
		"given twice":   {"cluster: \"7\"\n", "cluster: 7\n        cluster: 8\n", hit + ": document 1, line 17: field \"cluster\" is given twice (first 1 lines above)"},
		"indentation":   {"        cluster: \"7\"\n", "         cluster: 7\n", hit + ": document 1, line 11: not valid YAML"},
		"text ends":     {"          echo [ {\n", "          echo [ {\n       x\n", hit + ": document 1, line "},
		"no name":       {"\n  name: w\n", "\n", "resource must have `metadata.name`"},
		"control sign":  {"cluster: \"7\"\n", "cluster: \"7\x01\"\n", hit + ": line 16: holds the control character U+0001"},
		"merge key":     {"        cluster: \"7\"\n", "        <<: {a: b}\n", hit + ": document 1, line 16: the merge key"},
		"not the field": {"\nspec:\n", "\nspec: x\nother:\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree := committedFleet(t, 20, 60, func(file, text string) string {
				if file == hit {
					return strings.Replace(text, tc.old, tc.new, 1)
				}
				return text
			})
			for _, inPlace := range []bool{false, true} {
				res, err := Render(t.Context(), tree, Options{Functions: testFactory{}, InPlace: inPlace})
				switch {
				case tc.want == "" && (err != nil || !res.Tree.Equal(tree)):
					t.Errorf("in place %v: %v", inPlace, err)
				case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
					t.Errorf("in place %v: got %v, want %s", inPlace, err, tc.want)
				}
			}
		})
	}
}

// TestCommittedWorksFit holds that works which nobody edits are not kept in memory, neither as nodes nor as text.
func TestCommittedWorksFit(t *testing.T) {
	tree := committedFleet(t, 300, 300, func(_, text string) string { return text })
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := Render(t.Context(), tree, Options{Functions: testFactory{}})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	total := 0
	for _, b := range tree.All() {
		total += b.Size()
	}
	if kept := int(after.HeapAlloc) - int(before.HeapAlloc); kept > total/2 {
		t.Errorf("%d bytes of works take %d bytes when they were read", total, kept)
	}
	runtime.KeepAlive(res)
}
