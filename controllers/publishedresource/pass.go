package publishedresource

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// pass is one pass over some primaries of a PublishedResource: it observes, decides, acts and reports for each of them.
type pass struct {
	worker     *worker
	prepared   *prepared
	memory     *memory
	queue      *live.Queue
	options    Options
	metrics    *metrics
	workspaces []*server

	batch         live.Batch          // of primaries
	workspaceErrs map[string]error    // why a workspace is left out
	gone          sets.Set[string]    // primaries that are known not to exist, and whose copies may be deleted
	filterSelects func() bool         // whether the filter selects any source object, computed once
	planned       map[string]*primary // those whose first round had to be planned already, to count deletions
}

func newPass(w *worker, batch live.Batch) *pass {
	c := w.controller
	p := &pass{worker: w, prepared: w.prepared, memory: w.memory, queue: w.self.Queue, options: c.options, metrics: c.metrics,
		workspaces: c.workspaces, batch: batch, workspaceErrs: map[string]error{}, gone: sets.Set[string]{}, planned: map[string]*primary{}}
	p.filterSelects = sync.OnceValue(p.findSelected)
	return p
}

// findSelected reports whether the filter selects any source object of any workspace.
func (p *pass) findSelected() bool {
	for _, s := range p.workspaces {
		for _, o := range p.prepared.cache(s.Name, p.prepared.remote).List() {
			ns := p.prepared.get(applyset.Ref{Place: s.Name, ID: krm.ID{Kind: "Namespace", Name: o.Namespace()}})
			if selected, _ := p.prepared.rule.Selects(o, o.Namespace(), ns); selected {
				return true
			}
		}
	}
	return false
}

// run makes the pass. A fault is about the PublishedResource as a whole.
func (p *pass) run(ctx context.Context) *live.Fault {
	if !p.prepared.config.Moves() {
		if !p.batch.All {
			return nil
		}
		return notReleased(p.worker.releaseAll(ctx, p.prepared.config))
	}
	if err := p.cacheErr(""); err != nil {
		return p.faultOf(err)
	}
	if f := p.checkWorkspaces(); f != nil {
		return f
	}
	if err := p.worker.setOwnFinalizer(ctx, p.worker.self.Object.Load(), true); err != nil {
		return p.faultOf(fmt.Errorf("add the finalizer to the PublishedResource: %w", err))
	}
	due, err := p.due(ctx)
	if err != nil {
		return p.faultOf(err)
	}
	p.reconcileAll(ctx, due)
	if ctx.Err() != nil {
		return nil
	}
	p.release(ctx)
	if p.batch.All {
		if err := p.collectGarbage(ctx); err != nil && ctx.Err() == nil {
			return p.faultOf(err)
		}
	}
	p.setMetrics()
	return nil
}

// cacheErr says why the caches of a workspace, or of the destination for an empty name, may not hold all objects.
func (p *pass) cacheErr(cluster string) error {
	first, err := "", error(nil)
	for k, c := range p.prepared.caches {
		text := fmt.Sprintf("%s of %s", c.Resource.Resource, c.GroupVersion())
		if failed := c.Err(); failed != nil && k.Server == cluster && (err == nil || text < first) {
			first, err = text, failed
		}
	}
	switch {
	case err == nil:
		return nil
	case cluster != "":
		first += " in the workspace " + cluster
	}
	return &live.CacheError{Err: fmt.Errorf("%s: %w", first, err)}
}

// checkWorkspaces finds out which workspaces are left out. One that does not serve the type has no primaries.
func (p *pass) checkWorkspaces() *live.Fault {
	var served, waiting int
	var unavailable []string
	for _, s := range p.workspaces {
		remote := p.prepared.cache(s.Name, p.prepared.remote)
		if errors.Is(remote.Err(), live.ErrNotServed) {
			p.workspaceErrs[s.Name] = remote.Err()
			continue
		}
		served++
		err := p.cacheErr(s.Name)
		switch {
		case errors.Is(err, live.ErrNotSynced):
			waiting++
		case err != nil:
			unavailable = append(unavailable, err.Error())
		}
		if err != nil {
			p.workspaceErrs[s.Name] = err
		}
	}
	p.memory.update(func() {
		p.memory.unavailable, p.memory.waiting = live.OneLine(strings.Join(unavailable, "; ")), waiting > 0
		if p.batch.All {
			clear(p.memory.statuses) // a type may have got one
		}
	})
	switch {
	case served == 0:
		return &live.Fault{Reason: waybill.ReasonNotServed, Poll: true,
			Message: fmt.Sprintf("no workspace serves %s of %s", p.prepared.remote.Resource, p.prepared.remote.GroupVersion())}
	case waiting == served:
		return &live.Fault{Reason: waybill.ReasonProgressing, Message: "not all objects are known yet", Brief: true, Notified: true}
	}
	return nil
}

// faultOf says why there can be no pass now.
func (p *pass) faultOf(err error) *live.Fault {
	f := live.FaultOf(err, "; allow it to waybill-controller by a ClusterRole with the label rbac.waybill.dev/aggregate-to-sync")
	f.Poll = f.Reason == waybill.ReasonNotServed
	return f
}

// reconcileAll reconciles primaries, some at a time.
func (p *pass) reconcileAll(ctx context.Context, due []string) {
	workqueue.ParallelizeUntil(ctx, p.options.Parallel, len(due), func(i int) { p.record(ctx, due[i], p.reconcile(ctx, due[i])) })
}

// record remembers the error of a primary, and reports it once for as long as it stays the same.
func (p *pass) record(ctx context.Context, key string, err error) {
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, live.ErrConflict) {
		p.queue.AddAfter(key, p.options.FirstRetry)
		return
	}
	if err == nil {
		p.memory.backoff.Forget(key)
		p.memory.update(func() { delete(p.memory.failing, key) })
		return
	}
	p.queue.AddAfter(key, p.memory.backoff.When(key))
	before, now := "", live.OneLine(err.Error())
	p.memory.update(func() { before, p.memory.failing[key] = p.memory.failing[key], now })
	if before != now {
		p.options.Log.Info("an object has errors", "publishedresource", p.worker.name, "object", key, "reason", now)
		ref := refOf(key)
		p.worker.controller.server(ref.Place).recordEvent(p.prepared.get(ref), eventError,
			p.worker.name+": "+apisync.RedactOthers(ref.Place, now))
	}
}

// setMetrics counts the primaries by their state.
func (p *pass) setMetrics() {
	var failing, detached, existing int
	p.memory.update(func() { failing, detached = len(p.memory.failing), p.memory.detached })
	for _, s := range p.workspaces {
		if p.workspaceErrs[s.Name] == nil {
			existing += p.prepared.cache(s.Name, p.prepared.remote).Len()
		}
	}
	p.metrics.primaries.WithLabelValues(p.worker.name, "failing").Set(float64(failing))
	p.metrics.primaries.WithLabelValues(p.worker.name, "well").Set(float64(max(0, existing-failing)))
	p.metrics.primaries.WithLabelValues(p.worker.name, "detached").Set(float64(detached))
}
