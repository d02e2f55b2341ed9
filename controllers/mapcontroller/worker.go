package mapcontroller

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// worker reconciles one MapController.
type worker struct {
	controller *controller
	self       *live.Worker
	name       string
	slot       *hooks.Slot
	filter     atomic.Pointer[eventFilter] // which changes matter; nil: none

	// Used by the worker's own goroutine only.
	prepared *prepared // nil: to be prepared
	caches   map[live.Resource]*live.Cache
	memory   *memory
	backoff  live.Backoff
}

// work reconciles a MapController until ctx ends.
func (c *controller) work(ctx context.Context, self *live.Worker) {
	w := &worker{controller: c, self: self, name: self.Name, slot: &hooks.Slot{Slots: c.slots}, memory: newMemory(),
		backoff: live.Backoff{First: c.options.FirstRetry, Last: c.options.LastRetry}}
	defer w.end()
	for {
		batch, ok := self.Queue.Get(ctx)
		if !ok || !w.slot.Acquire(ctx) {
			return
		}
		began := time.Now()
		w.reconcile(ctx, batch)
		c.metrics.passes.WithLabelValues(w.name).Observe(time.Since(began).Seconds())
		w.slot.Release()
		if !live.Sleep(ctx, c.options.MinInterval) {
			return
		}
	}
}

// end releases everything that the worker holds.
func (w *worker) end() {
	w.forget()
	w.release()
	w.controller.metrics.forget(w.name)
}

// release releases the caches, and the claims to the status of parents.
func (w *worker) release() {
	w.filter.Store(nil)
	w.controller.caches.Use(w, nil)
	w.controller.statusOwners.release(w.name, nil)
}

// forget makes the worker prepare the MapController again.
func (w *worker) forget() {
	if w.prepared != nil {
		w.prepared.hooks.Close()
	}
	w.prepared = nil
}

// reconcile makes a pass over some parents, if the MapController is valid.
func (w *worker) reconcile(ctx context.Context, batch live.Batch) {
	o := w.self.Object.Load()
	if live.IsDeleting(o) {
		w.finalize(ctx, o)
		return
	}
	if w.prepared == nil || w.prepared.generation != applyset.Generation(o) {
		w.forget()
		batch = live.Batch{All: true}
		r, f := w.prepare(ctx, o)
		if f != nil {
			w.release()
			w.finish(ctx, f, nil)
			return
		}
		w.prepared, w.memory = r, newMemory()
	}
	w.useCaches()
	w.setFilter()
	p := newPass(w, batch)
	f := p.run(ctx)
	if f != nil && !f.Brief {
		w.controller.statusOwners.release(w.name, nil) // it writes no status now
	}
	w.setFilter()
	if ctx.Err() == nil {
		w.finish(ctx, f, p)
	}
	if p.typeUnknown.Load() || f != nil && f.Reason == waybill.ReasonNotServed {
		w.forget() // a type that comes back may differ
		w.controller.server.ResetMapper()
	}
}

// useCaches takes the caches of all types that the MapController and its customize hooks name.
func (w *worker) useCaches() {
	wanted := map[live.CacheKey]*live.Server{}
	for _, k := range slices.AppendSeq(slices.Collect(maps.Keys(w.prepared.roles)), maps.Keys(w.memory.related)) {
		wanted[live.CacheKey{Resource: k}] = w.controller.server
	}
	w.caches = map[live.Resource]*live.Cache{}
	for k, c := range w.controller.caches.Use(w, wanted) {
		w.caches[k.Resource] = c
	}
}

// finish reports the result of a pass, and schedules the next one.
func (w *worker) finish(ctx context.Context, f *live.Fault, p *pass) {
	reported := f
	if f == nil {
		reported = w.fault()
	}
	w.writeConditions(ctx, reported)
	switch {
	case f == nil:
		p.schedule()
	case f.Poll:
		w.self.Queue.AddAfter("", live.PollInterval(w.controller.options.LastRetry))
	case !f.Stalled && !f.Notified:
		w.self.Queue.AddAfter("", w.backoff.Next())
	}
}

func (w *worker) writeConditions(ctx context.Context, f *live.Fault) {
	writer := live.StatusWriter{Client: w.controller.server.Objects.Resource(mapControllers), Log: w.controller.options.Log,
		Kind: "MapController", Reason: waybill.ReasonMapping, Ready: "all parents are mapped"}
	writer.Write(ctx, w.self, f)
}

// schedule queues the parents that must be reconciled again even if nothing changes.
func (p *pass) schedule() {
	failing := map[string]bool{}
	for key := range p.memory.failing {
		_, id, _ := applyset.ParseKey(key) // a parent's
		failing[id.Namespace] = true
	}
	if len(failing) == 0 {
		p.worker.backoff.Reset()
	} else {
		pause := p.worker.backoff.Next()
		for namespace := range failing {
			p.queue.AddAfter(namespace, pause)
		}
	}
	if p.conflicted || p.snapshot.incomplete {
		p.queue.AddAfter("", p.options.FirstRetry)
	}
	for i := range p.result.Parents {
		if parent := &p.result.Parents[i]; parent.RequeueAfter > 0 {
			p.queue.AddAfter(parent.Object.Namespace(), parent.RequeueAfter)
		}
	}
	if seconds := p.prepared.Spec().ResyncPeriodSeconds; seconds != nil && p.batch.All {
		p.queue.AddAfter("", time.Duration(max(1, *seconds))*time.Second)
	}
}

// covers reports whether a batch has the parents of a namespace. Parents without a namespace see all namespaces.
func covers(b live.Batch, namespace string) bool {
	return b.All || namespace == "" || b.Keys[namespace]
}

// coversParent reports whether a batch has the parent of a key.
func coversParent(b live.Batch, key string) bool {
	_, id, err := applyset.ParseKey(key)
	return err == nil && covers(b, id.Namespace)
}

// sortedResources returns the keys of a map in a fixed order.
func sortedResources[V any](m map[live.Resource]V) []live.Resource {
	return slices.SortedFunc(maps.Keys(m), func(a, b live.Resource) int { return cmp.Compare(a.String(), b.String()) })
}
