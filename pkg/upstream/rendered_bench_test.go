package upstream_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// manyWebs is a package of n Deployments, one a file, that two functions change.
func manyWebs(t testing.TB, n int) pkgtree.Tree {
	t.Helper()
	one, _ := archive(t, web).Get("web.yaml")
	tree := archive(t, kptfileOf("set-namespace namespace=prod", "set-labels tier=gold"))
	kptfile, _ := tree.Get("Kptfile")
	files := map[string][]byte{"Kptfile": kptfile}
	for i := range n {
		name := fmt.Sprintf("apps/%03d/web-%d.yaml", i%100, i)
		files[name], _ = edited(t, packageOf(t, map[string][]byte{name: one}), edit{name, "  name: web\n  namespace", fmt.Sprintf("  name: web-%d\n  namespace", i)}).Get(name)
	}
	return packageOf(t, files)
}

func everyWeb(t testing.TB, tree pkgtree.Tree, old, new string) pkgtree.Tree {
	t.Helper()
	var edits []edit
	for p := range tree.All() {
		if p != "Kptfile" {
			edits = append(edits, edit{p, old, new})
		}
	}
	return edited(t, tree, edits...)
}

// BenchmarkMergeRendered merges rendered packages that both sides changed everywhere.
func BenchmarkMergeRendered(b *testing.B) {
	for _, n := range []int{10, 100, 1_000} {
		base := manyWebs(b, n)
		x := triple{base, everyWeb(b, base, "web:v1", "web:v2"), everyWeb(b, got(b, base), "replicas: 1", "replicas: 5")}
		if n == 10 {
			checkRenderedLaws(b, x)
		}
		render := functions(b)
		for name, do := range map[string]func() (*merge.Result, error){
			"plain": func() (*merge.Result, error) { return merge.Packages(x.base, x.theirs, x.ours, merge.Options{}) },
			"rendered": func() (*merge.Result, error) {
				return upstream.MergeRendered(context.Background(), x.base, x.theirs, x.ours, merge.Options{}, render)
			},
		} {
			b.Run(fmt.Sprintf("%s/resources=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					res, err := do()
					if err != nil || len(res.Conflicts) > 0 || res.Tree.Len() != n+1 {
						b.Fatalf("%v: %v", err, res)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
			})
		}
	}
}
