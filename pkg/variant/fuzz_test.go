package variant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// FuzzCloneAndMutate checks on any package that doing it twice is doing it once.
func FuzzCloneAndMutate(f *testing.F) {
	f.Add(kptfileText, web, contextText)
	f.Add(kptfileText+"pipeline: {mutators: &a [{image: x}], validators: *a}\n", pointText+"---\n"+web, contextText)
	f.Add(kptfileText, "a: &x {name: n}\napiVersion: v1\nkind: ConfigMap\nmetadata: *x\n", contextText+"  z: |\n    text\n")
	f.Add(kptfileText, "# only\n---\n"+pointText, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {}\n")
	objects, err := krm.Read("cluster.yaml", []byte(clusterText), krm.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kptfile, resources, context string) {
		tree := newTree(t, map[string]string{"Kptfile": kptfile, "a.yaml": resources, "package-context.yaml": context})
		pv := newVariant(t, "injectors: [{name: lyon-2}]", "packageContext: {data: {z: on}, removeKeys: [old]}", "pipeline: {mutators: [{image: x, name: n}]}")
		run := func(in pkgtree.Tree) (pkgtree.Tree, error) {
			out, err := variant.Clone(in, variant.CloneInput{Name: "upf", Upstream: kptfilev1.GitLock{Repo: "r"}})
			if err != nil {
				return in, err
			}
			return variant.Mutate(out, pv, objects)
		}
		once, err := run(tree)
		if err != nil {
			return
		}
		twice, err := run(once)
		if diff := cmp.Diff(filesOf(once), filesOf(twice)); err != nil || diff != "" {
			t.Fatalf("a second time: %v (-once +twice):\n%s", err, diff)
		}
	})
}

func BenchmarkMutate(b *testing.B) {
	files := map[string]string{"Kptfile": kptfileText, "package-context.yaml": contextText, "site.yaml": pointText}
	for _, p := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		files[p+".yaml"] = web
	}
	objects, err := krm.Read("cluster.yaml", []byte(clusterText), krm.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	tree, pv := newTree(b, files), newVariant(b, "injectors: [{name: lyon-2}]", "packageContext: {data: {z: \"1\"}}")
	want, err := variant.Mutate(tree, pv, objects)
	if err != nil || len(tree.Diff(want)) != 3 {
		b.Fatalf("want Kptfile, context and site changed, got %v, %v", tree.Diff(want), err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := variant.Mutate(tree, pv, objects); err != nil {
			b.Fatal(err)
		}
	}
}
