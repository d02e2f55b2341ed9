package mapcontroller_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

// BenchmarkChange changes one of many inputs, and measures the time until its output has changed.
func BenchmarkChange(b *testing.B) {
	for _, n := range []int{200, 2000} {
		b.Run(fmt.Sprintf("inputs=%d", n), func(b *testing.B) {
			w := newEnvironment(b)
			w.put(policy)
			w.each(n, func(i int) { w.input(fmt.Sprint("i", i), "x: one") })
			began := time.Now()
			w.put(copies)
			w.start(func(o *mapcontroller.Options) { o.Parallel = 8 })
			w.eventually("all are mapped", func() string {
				return cmp.Diff(fmt.Sprint(n), w.at(group+"/v1", "Policy", "p", "status", "outputs", "probes", "total"))
			})
			took := time.Since(began)
			w.awaitReady("copies", "True")
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			for i := 0; b.Loop(); i++ {
				value := fmt.Sprint("v", i)
				w.input("i0", "x: "+value)
				w.eventually("one is changed", func() string {
					o := empty(group+"/v1", "Probe", w.namespace, "p-i0-x")
					if err := w.Get(context.Background(), client.ObjectKeyFromObject(o), o); err != nil {
						return err.Error()
					}
					if got := o.Object["spec"].(map[string]any)["value"]; got != value {
						return fmt.Sprint(got)
					}
					return ""
				})
			}
			b.ReportMetric(float64(n)/took.Seconds(), "created/s")
			b.ReportMetric(float64(m.HeapAlloc)/float64(n)/1024, "KiB/input")
		})
	}
}

// each calls do for 0 to n-1, several calls at a time.
func (w *environment) each(n int, do func(int)) {
	slots := make(chan struct{}, 16)
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	all.Wait()
}
