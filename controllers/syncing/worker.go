package syncing

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// worker works one PublishedResource.
type worker struct {
	*controller
	name   string
	agenda *agenda
	object atomic.Pointer[krm.Object] // the PublishedResource as it is
	known  atomic.Pointer[ready]      // what matters, for whoever tells of changes

	// Of the worker's own goroutine, but for the memory, which has a lock.
	ready   *ready // nil: not yet, or not any more
	before  *ready // what there was, and is still to be given up
	shelves map[shelfKey]*shelf
	memory  *memory
	pause   time.Duration // before the next try of what failed as a whole
}

// fault is why a PublishedResource is not worked, or not all of it.
type fault struct {
	reason, message string
	stalled         bool // until somebody changes the PublishedResource
	looks           bool // for something that may come
	waits           bool // for something that is told of when it comes
	brief           bool // soon there is more to tell
}

func newWorker(c *controller, name string) *worker {
	return &worker{controller: c, name: name, agenda: newAgenda(), memory: newMemory()}
}

// run works until ctx ends.
func (w *worker) run(ctx context.Context) {
	defer w.end()
	for {
		s, is := w.agenda.await(ctx)
		if !is {
			return
		}
		began := time.Now()
		w.turn(ctx, s)
		w.meters.passes.WithLabelValues(w.name).Observe(time.Since(began).Seconds())
		select {
		case <-ctx.Done():
			return
		case <-time.After(w.options.MinInterval):
		}
	}
}

// end gives up all that is held.
func (w *worker) end() {
	w.forget()
	w.kept.need(w, nil)
	w.meters.forget(w.name)
}

// forget has the PublishedResource made ready anew.
func (w *worker) forget() {
	if w.before == nil {
		w.before = w.ready
	}
	w.ready = nil
	w.known.Store(nil)
}

// turn looks at the PublishedResource and makes a pass, if that can be done.
func (w *worker) turn(ctx context.Context, s scope) {
	o := w.object.Load()
	if isDeleting(o) {
		w.leave(ctx, o)
		return
	}
	if w.ready != nil && s.all && w.outdated(ctx) {
		w.forget()
	}
	if w.ready == nil || w.ready.generation != correspond.Generation(o) {
		w.forget()
		s = scope{all: true}
		r, f := w.prepare(ctx, o)
		if f == nil {
			f = w.giveUp(ctx, w.before, r)
		}
		if f == nil {
			w.before = nil
		}
		if f != nil {
			w.kept.need(w, nil)
			w.conclude(ctx, f, nil)
			return
		}
		w.ready, w.memory, w.shelves = r, newMemory(), w.kept.need(w, r.kinds)
		r.memory, r.shelves = w.memory, w.shelves // before anybody else knows
		w.known.Store(r)
	}
	p := newPass(w, s)
	f := p.run(ctx)
	if ctx.Err() == nil {
		w.conclude(ctx, f, p)
	}
	if f != nil && f.reason == waybill.ReasonNotServed {
		w.reset() // a type that comes back may be another one
	}
}

// reset has everything that is known of types asked anew.
func (w *worker) reset() {
	w.forget()
	for _, s := range append([]*server{w.home}, w.workspaces...) {
		s.Mapper.(meta.ResettableRESTMapper).Reset()
	}
}

// leave does nothing more for a PublishedResource that is being deleted but to let it go.
func (w *worker) leave(ctx context.Context, o *krm.Object) {
	w.forget()
	w.kept.need(w, nil)
	if err := w.dismiss(ctx, o); err != nil && ctx.Err() == nil {
		w.describe(ctx, &fault{reason: waybill.ReasonFailing, message: "it cannot be let go: " + oneLine(err.Error())})
		w.agenda.after(w.grow(), "")
	}
}

// conclude tells what came of a turn, and says when the next one is.
func (w *worker) conclude(ctx context.Context, f *fault, p *pass) {
	failing := f
	if f == nil {
		failing = w.failing()
	}
	w.describe(ctx, failing)
	switch {
	case f != nil && f.looks:
		w.agenda.after(w.options.look(), "")
	case f != nil && !f.stalled && !f.waits:
		w.agenda.after(w.grow(), "")
	case f != nil:
		w.agenda.after(w.options.Interval, "")
	default:
		w.pause = 0
		if p.all {
			w.agenda.after(w.options.Interval, "")
		}
	}
}

// grow is the pause before what failed is tried again; the next one is longer.
func (w *worker) grow() time.Duration {
	w.pause = min(max(2*w.pause, w.options.FirstRetry), w.options.LastRetry)
	return w.pause
}

// failing is what is wrong after a pass; nil when all is well.
func (w *worker) failing() *fault {
	m := w.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	first, n := "", len(m.failing)
	for key := range m.failing {
		if first == "" || key < first {
			first = key
		}
	}
	switch {
	case n > 0:
		return &fault{reason: waybill.ReasonFailing,
			message: bounded(fmt.Sprintf("%d objects have errors, which their events tell; the first is %s: %s", n, first, m.failing[first].text))}
	case m.refused != "":
		return &fault{reason: waybill.ReasonRefused, message: m.refused}
	case m.unavailable != "":
		return &fault{reason: waybill.ReasonUnavailable, message: m.unavailable}
	case m.waiting:
		return &fault{reason: waybill.ReasonProgressing, message: "not all workspaces are known yet", brief: true}
	}
	return nil
}
