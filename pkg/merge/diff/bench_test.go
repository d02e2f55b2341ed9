package diff

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
)

// BenchmarkChanges compares n Deployments with as many that differ in four places each.
func BenchmarkChanges(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			_, from, to := mergetest.BenchTrees(b, n)
			to = merge.AddMarks(to)
			if n <= 100 {
				checkChangeLaws(b, from, to)
			}
			b.ReportAllocs()
			for b.Loop() {
				if got := changes(b, from, to); len(got) != 4*n {
					b.Fatalf("%d changes", len(got))
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}
