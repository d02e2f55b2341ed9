package publishedresource

import (
	"context"
	"slices"
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
	active     atomic.Pointer[prepared] // what maps events to primaries; nil while everything is to be reconciled anyway

	// These belong to the goroutine of the worker; memory has a lock.
	prepared *prepared // nil: not yet, or not any more
	previous *prepared // the one before, whose finalizers are still to be removed
	memory   *memory
	backoff  live.Backoff // of passes that failed as a whole
}

// work reconciles a PublishedResource until ctx ends.
func (c *controller) work(ctx context.Context, self *live.Worker) {
	w := &worker{controller: c, self: self, name: self.Name, memory: newMemory(c.options),
		backoff: live.Backoff{First: c.options.FirstRetry, Last: c.options.LastRetry}}
	defer live.Forget("publishedresource", w.name, c.metrics.passes, c.metrics.operations, c.metrics.primaries)
	defer w.release()
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

// release stops the use of caches.
func (w *worker) release() {
	w.forget()
	w.controller.caches.Use(w, nil)
}

// forget makes the worker prepare the PublishedResource again.
func (w *worker) forget() {
	if w.previous == nil {
		w.previous = w.prepared
	}
	w.prepared = nil
	w.active.Store(nil)
}

// reconcile makes a pass over some primaries, if the PublishedResource permits that.
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
			w.finish(ctx, f, batch)
			return
		}
	}
	f := newPass(w, batch).run(ctx)
	if ctx.Err() == nil {
		w.finish(ctx, f, batch)
	}
	if f != nil && f.Reason == waybill.ReasonNotServed { // a type that is served again may be another one
		w.forget()
		for _, s := range slices.Concat(w.controller.workspaces, []*server{w.controller.home}) {
			s.ResetMapper()
		}
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
	w.previous, w.prepared, w.memory = nil, r, newMemory(w.controller.options)
	r.memory, r.caches = w.memory, w.controller.caches.Use(w, r.servers)
	w.active.Store(r)
	return nil
}

// finish reports what a pass led to, and schedules the next one.
func (w *worker) finish(ctx context.Context, f *live.Fault, batch live.Batch) {
	queue, options := w.self.Queue, w.controller.options
	switch {
	case f == nil:
		w.backoff.Reset()
		if batch.All {
			queue.AddAfter("", options.Interval)
		}
		f = w.memory.fault()
	case f.Poll:
		queue.AddAfter("", live.PollInterval(options.LastRetry))
	case f.Stalled, f.Notified:
		queue.AddAfter("", options.Interval)
	default:
		queue.AddAfter("", w.backoff.Next())
	}
	w.writeConditions(ctx, f)
}

func (w *worker) writeConditions(ctx context.Context, f *live.Fault) {
	writer := live.StatusWriter{Client: w.controller.home.Objects.Resource(publishedResources), Log: w.controller.options.Log,
		Kind: "PublishedResource", Reason: waybill.ReasonSyncing, Ready: "all objects are kept in sync"}
	writer.Write(ctx, w.self, f)
}
