package mapping

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// worker works one MapController.
type worker struct {
	*controller
	name   string
	agenda *agenda
	seat   *seat
	object atomic.Pointer[krm.Object] // the MapController as it is; nil: gone
	known  atomic.Pointer[interest]   // what matters, for whoever tells of changes

	// Of the worker's own goroutine.
	ready   *ready // nil: not yet, or not any more
	shelves map[kind]*shelf
	memory  memory
	pause   time.Duration // before the next try of what failed
}

// fault is why a MapController is not worked, or not all of it.
type fault struct {
	reason, message string
	stalled         bool // until somebody changes the MapController
	looks           bool // for something that may come
	waits           bool // for something that is told of when it comes
	brief           bool // soon there is more to tell
}

func newWorker(c *controller, name string) *worker {
	return &worker{controller: c, name: name, agenda: newAgenda(), seat: &seat{slots: c.slots}, memory: newMemory()}
}

// run works until ctx ends.
func (w *worker) run(ctx context.Context) {
	defer w.end()
	for {
		s, is := w.agenda.await(ctx)
		if !is || !w.seat.enter(ctx) {
			return
		}
		began := time.Now()
		w.turn(ctx, s)
		w.meters.passes.WithLabelValues(w.name).Observe(time.Since(began).Seconds())
		w.seat.leave()
		if !sleep(ctx, w.options.MinInterval) {
			return
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// end gives up all that is held.
func (w *worker) end() {
	w.forget()
	w.kept.need(w, nil)
	w.authors.release(w.name, all)
	w.meters.forget(w.name)
}

// forget has the MapController made ready anew.
func (w *worker) forget() {
	if w.ready != nil {
		w.ready.hooks.Close()
	}
	w.ready = nil
}
