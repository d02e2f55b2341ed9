package cli

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// A heap grows by at least some memory between two collections: most commands end before the first one. A larger heap may double, up to
// a bound. A process that runs for long, beside others, grows by less: see StaySmall.
const (
	minGrowth      = 64 << 20
	maxDoubling    = 128 << 20
	steadyGrowth   = 32 << 20
	steadyDoubling = 48 << 20
)

// runsLong says that StaySmall was called.
var runsLong atomic.Bool

// TuneCollector lets a small heap grow by minGrowth, one of medium size double, and a large one grow by maxDoubling or by 30% before the
// next collection: the default collects small heaps often and lets large ones double. It does nothing if GOGC is set.
func TuneCollector(env func(string) (string, bool)) {
	if _, set := env("GOGC"); set {
		return
	}
	const smallest = 4 << 20 // the least live heap that the runtime reckons with
	debug.SetGCPercent(growth(smallest))
	afterEachCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
	})
}

// LimitHeap makes the collector work harder near the memory limit of this process. It does nothing if GOMEMLIMIT is set.
func LimitHeap(env func(string) (string, bool)) {
	if _, set := env("GOMEMLIMIT"); !set {
		memlimit.Apply()
	}
}

// growth is by how many percent a heap with so much live memory may grow.
func growth(live uint64) int {
	least, most := uint64(minGrowth), uint64(maxDoubling)
	if runsLong.Load() {
		least, most = steadyGrowth, steadyDoubling
	}
	return int(max(30, min(max(least, live), most)*100/max(1, live)))
}

// afterEachCollection calls f some time after every collection.
func afterEachCollection(f func()) {
	type canary struct{ _ *byte } // has a pointer, so that it shares its memory block with nothing else
	runtime.SetFinalizer(&canary{}, func(*canary) {
		f()
		afterEachCollection(f)
	})
}

// StaySmall collects more often, for some processor time, and returns free memory to the system whenever the process rests for a pause
// after work, until ctx ends. The runtime does so minutes later, and keeps as much free as its next work may need.
func StaySmall(ctx context.Context, pause time.Duration) {
	runsLong.Store(true)
	defer runsLong.Store(false)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	var r resting
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		if metrics.Read(allocated); r.begins(allocated[0].Value.Uint64()) {
			debug.FreeOSMemory()
		}
	}
}

// resting finds out by what a process has allocated since it began when it rests.
type resting struct{ last, released uint64 }

// begins reports whether the process allocates little since the last call, and has allocated steadyGrowth since the last rest: a release
// costs a collection.
func (r *resting) begins(allocated uint64) bool {
	const little = 4 << 20
	isQuiet := allocated-r.last < little
	r.last = allocated
	if !isQuiet || allocated-r.released < steadyGrowth {
		return false
	}
	r.released = allocated
	return true
}
