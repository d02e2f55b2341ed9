package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// minGrowth is the least heap growth between two collections. Most commands end before the first collection.
const minGrowth = 32 << 20

// TuneCollector lets the heap grow by minGrowth, or by 30% if it is large, before the next collection: the default collects
// small heaps often and lets large ones double. It does nothing if GOGC is set.
func TuneCollector(env func(string) (string, bool)) {
	if _, set := env("GOGC"); set {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	const smallest = 4 << 20 // the least live heap that the runtime reckons with
	metrics.Read(live)
	debug.SetGCPercent(growth(max(smallest, live[0].Value.Uint64())))
	afterEachCollection(func() {
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
	})
}

// LimitHeap makes the collector work harder near the memory limit of this process. It does nothing if GOMEMLIMIT is set.
func LimitHeap(env func(string) (string, bool)) {
	if _, set := env("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(memlimit.Bytes() / 10 * 9)
	}
}

func growth(live uint64) int { return int(max(30, minGrowth*100/max(1, live))) }

// afterEachCollection calls f some time after every collection.
func afterEachCollection(f func()) {
	type canary struct{ _ *byte } // has a pointer, so that it shares its memory block with nothing else
	runtime.SetFinalizer(&canary{}, func(*canary) {
		f()
		afterEachCollection(f)
	})
}
