package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// blueprint is a package whose functions generate the objects for each cluster.
func blueprint(t testing.TB) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir("../../examples/edge-fleet/blueprint", pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestGeneratedFilesFollow updates a package with other clusters than upstream's to a newer upstream with generated objects for its
// own clusters: the generated objects here follow from the merge, and are no conflict.
func TestGeneratedFilesFollow(t *testing.T) {
	here := []edit{{"inventory/clusters.yaml", "austin-1", "oslo-1"}, {"inventory/properties.yaml", "austin-1", "oslo-1"}}
	base := blueprint(t)
	theirs := rendered(t, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}))
	x := triple{base, theirs, got(t, edited(t, base, here...))}
	if n := len(x.plain(t, merge.Upstream).Conflicts); n == 0 {
		t.Error("a plain merge finds conflicts in what is generated")
	}
	for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local, merge.Fail} {
		res := x.merged(t, prefer)
		if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
			t.Errorf("conflicts when %s is preferred (-want +got):\n%s", prefer, diff)
		}
		const generated = "clusters/oslo-1/shop/manifestwork-0.yaml"
		if !res.Tree.Blob(generated).Equal(x.ours.Blob(generated)) {
			t.Error("a generated file did not change")
		}
		sameTrees(t, "rendered, it is what upstream is with these clusters", got(t, edited(t, theirs, here...)), rendered(t, res.Tree))
	}
	checkRenderedLaws(t, x)
}

// TestGeneratedFilesOfASubpackage checks that they are deleted with it.
func TestGeneratedFilesOfASubpackage(t *testing.T) {
	files := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: all\n")}
	theirs := packageOf(t, files)
	for p, b := range blueprint(t).All() {
		files["shop/"+p] = b.Data()
	}
	base := packageOf(t, files)
	x := triple{base, theirs, got(t, edited(t, base, edit{"shop/clusters/berlin-1/shop/manifestwork-0.yaml", "", ""}))}
	res := x.merged(t, merge.Fail)
	if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	sameTrees(t, "the subpackage is gone", theirs, res.Tree)
}

// TestGeneratedBesideOthers has generated and other objects in one file: only the others merge.
func TestGeneratedBesideOthers(t *testing.T) {
	const mixed = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\n  annotations:\n    waybill.dev/generated-by: something\ndata:\n  sum: 0\n---\n"
	base := archive(t, kptfileOf("set-labels tier=gold")+"-- settings.yaml --\n"+mixed+settings[len("-- settings.yaml --\n"):])
	x := triple{base, edited(t, base, edit{"settings.yaml", "sum: 0", "sum: 1"}, edit{"settings.yaml", "web:v1", "web:v2"}),
		got(t, edited(t, base, edit{"settings.yaml", "sum: 0", "sum: 2"}))}
	res := x.merged(t, merge.Fail)
	if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	sameTrees(t, "the sum stays, the rest is upstream's", edited(t, x.ours, edit{"settings.yaml", "web:v1", "web:v2"}), res.Tree)
}
