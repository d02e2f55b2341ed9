package publishedresource

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// worker reconciles one PublishedResource.
type worker struct {
	controller *controller
	self       *live.Worker
	name       string
	active     atomic.Pointer[prepared] // what maps changes to primaries; nil: nothing, as everything is read anew

	// Of the worker's own goroutine, but for the memory, which has a lock.
	prepared *prepared // nil: not yet, or not any more
	previous *prepared // the one before, whose finalizers are still to be removed
	memory   *memory
	backoff  live.Backoff // of what failed as a whole
}

// work reconciles a PublishedResource until ctx ends.
func (c *controller) work(ctx context.Context, self *live.Worker) {
	w := &worker{controller: c, self: self, name: self.Name, memory: newMemory(),
		backoff: live.Backoff{First: c.options.FirstRetry, Last: c.options.LastRetry}}
	defer w.end()
	for {
		batch, ok := self.Queue.Get(ctx)
		if !ok {
			return
		}
		began := time.Now()
		w.reconcile(ctx, batch)
		c.metrics.passes.WithLabelValues(w.name).Observe(time.Since(began).Seconds())
		if !live.Sleep(ctx, c.options.MinInterval) {
			return
		}
	}
}

// end releases all that the worker holds.
func (w *worker) end() {
	w.release()
	w.controller.metrics.forget(w.name)
}

// release stops the use of caches.
func (w *worker) release() {
	w.forget()
	w.controller.caches.Use(w, nil)
}

// forget has the PublishedResource prepared anew.
func (w *worker) forget() {
	if w.previous == nil {
		w.previous = w.prepared
	}
	w.prepared = nil
	w.active.Store(nil)
}

// reconcile makes a pass over some primaries, if that can be done.
func (w *worker) reconcile(ctx context.Context, batch live.Batch) {
	o := w.self.Object.Load()
	if live.IsDeleting(o) {
		w.finalize(ctx, o)
		return
	}
	if w.prepared != nil && batch.All && w.isOutdated(ctx) {
		w.forget()
	}
	if w.prepared == nil || w.prepared.generation != applyset.Generation(o) {
		w.forget()
		batch = live.Batch{All: true}
		if f := w.activate(ctx, o); f != nil {
			w.controller.caches.Use(w, nil)
			w.finish(ctx, f, nil)
			return
		}
	}
	p := newPass(w, batch)
	f := p.run(ctx)
	if ctx.Err() == nil {
		w.finish(ctx, f, p)
	}
	if f != nil && f.Reason == waybill.ReasonNotServed {
		w.reset() // a type that comes back may be another one
	}
}

// activate prepares the PublishedResource, removes what its earlier spec left, and uses the caches that it needs.
func (w *worker) activate(ctx context.Context, o *krm.Object) *live.Fault {
	r, f := w.prepare(ctx, o)
	if f == nil {
		f = w.releaseOldTypes(ctx, w.previous, r)
	}
	if f != nil {
		return f
	}
	w.previous, w.prepared, w.memory = nil, r, newMemory()
	r.memory, r.caches = w.memory, w.controller.caches.Use(w, r.servers)
	w.active.Store(r)
	return nil
}

// reset has all that is known of types asked anew.
func (w *worker) reset() {
	w.forget()
	for _, s := range append([]*server{w.controller.home}, w.controller.workspaces...) {
		s.ResetMapper()
	}
}

// finish reports what a pass led to, and schedules the next one.
func (w *worker) finish(ctx context.Context, f *live.Fault, p *pass) {
	reported := f
	if f == nil {
		reported = w.fault()
	}
	w.writeConditions(ctx, reported)
	queue, options := w.self.Queue, w.controller.options
	switch {
	case f != nil && f.Poll:
		queue.AddAfter("", options.pollInterval())
	case f != nil && !f.Stalled && !f.Notified:
		queue.AddAfter("", w.backoff.Next())
	case f != nil:
		queue.AddAfter("", options.Interval)
	default:
		w.backoff.Reset()
		if p.batch.All {
			queue.AddAfter("", options.Interval)
		}
	}
}

func (w *worker) writeConditions(ctx context.Context, f *live.Fault) {
	writer := live.StatusWriter{Client: w.controller.home.Objects.Resource(publishedResources), Log: w.controller.options.Log,
		Kind: "PublishedResource", Reason: "Syncing", Ready: "all objects are kept in sync"}
	writer.Write(ctx, w.self, f)
}

// fault is what is wrong after a pass; nil where all is well.
func (w *worker) fault() *live.Fault {
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
		return &live.Fault{Reason: waybill.ReasonFailing,
			Message: live.Truncate(fmt.Sprintf("%d objects have errors, which their events tell; the first is %s: %s", n, first,
				m.failing[first].text))}
	case m.refused != "":
		return &live.Fault{Reason: waybill.ReasonRefused, Message: m.refused}
	case m.unavailable != "":
		return &live.Fault{Reason: waybill.ReasonUnavailable, Message: m.unavailable}
	case m.waiting:
		return &live.Fault{Reason: waybill.ReasonProgressing, Message: "not all workspaces are known yet", Brief: true}
	}
	return nil
}
