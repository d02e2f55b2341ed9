package merge

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
)

func BenchmarkPackages(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			base, theirs, ours := mergetest.BenchTrees(b, n)
			ours = AddMarks(ours)
			if n <= 100 {
				checkPackageLaws(b, base, theirs, ours, ResourceMerge)
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := Packages(base, theirs, ours, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Conflicts) > 0 || r.Tree.Len() != n+1 {
					b.Fatalf("%d conflicts, %d files", len(r.Conflicts), r.Tree.Len())
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}
