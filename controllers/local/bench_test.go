package local_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// fleetOf is a fleet of n variants of the blueprint.
func fleetOf(b testing.TB, n int) *fleet {
	b.Helper()
	f := newFleet(b)
	eu := f.read("eu.yaml")
	if err := os.Remove(f.path("fleet/eu.yaml")); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		name := fmt.Sprintf("v%03d", i)
		f.write(name+".yaml", replace(b, eu, "name: eu\n", "name: "+name+"\n", "eu/shop", name+"/shop"))
	}
	return f
}

// check fails unless every variant came to that.
func check(b testing.TB, want reconciler.Action, reports []reconciler.Report) {
	b.Helper()
	for _, rep := range reports {
		if rep.Action != want {
			b.Fatalf("%s: %s: %s", rep.Name, rep.Action, rep.Message)
		}
	}
}

// BenchmarkReconcile is a whole reconcile, from reading the files to the report: the first, which
// commits a draft for each variant, and the second, which finds nothing to do.
func BenchmarkReconcile(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("drafts=%d", n), func(b *testing.B) {
			f := fleetOf(b, n)
			beginning := f.path("beginning")
			if err := os.CopyFS(beginning, os.DirFS(f.path("deployments.git"))); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c := crash{fleet: f}
				c.begin()
				b.StartTimer()
				check(b, reconciler.Created, f.reconcile())
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "drafts/s")
		})
		b.Run(fmt.Sprintf("unchanged=%d", n), func(b *testing.B) {
			f := fleetOf(b, n)
			check(b, reconciler.Created, f.reconcile())
			b.ReportAllocs()
			for b.Loop() {
				check(b, reconciler.Unchanged, f.reconcile())
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "variants/s")
		})
	}
}
