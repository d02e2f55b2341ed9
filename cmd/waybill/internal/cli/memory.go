package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// heapRoom is how much is allocated at least between two collections. Most commands never need more,
// and end before anything is collected at all.
const heapRoom = 32 << 20

// TuneCollector has the heap collected when it has grown by heapRoom, and a large one when it has
// grown by three tenths: the default collects small heaps often, and lets large ones double. GOGC, where it is
// set, is left to say.
func TuneCollector(env func(string) (string, bool)) {
	if _, set := env("GOGC"); set {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	const smallest = 4 << 20 // what the runtime takes an empty heap for
	metrics.Read(live)
	debug.SetGCPercent(growth(max(smallest, live[0].Value.Uint64())))
	afterEachCollection(func() {
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
	})
}

// LimitHeap has the heap collected more often when it comes near the memory that this process may use.
// GOMEMLIMIT, where it is set, is left to say.
func LimitHeap(env func(string) (string, bool)) {
	if _, set := env("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(memlimit.Bytes() / 10 * 9)
	}
}

// growth is by how many percent a heap of that size may grow.
func growth(live uint64) int { return int(max(30, heapRoom*100/max(1, live))) }

// afterEachCollection calls f once for every collection, some time after it.
func afterEachCollection(f func()) {
	type canary struct{ _ *byte } // with a pointer, so that it shares its memory with nothing else
	runtime.SetFinalizer(&canary{}, func(*canary) {
		f()
		afterEachCollection(f)
	})
}
