package publishedresource

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
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

	batch         live.Batch       // of primaries
	workspaceErrs map[string]error // why a workspace is left out
	gone          map[string]bool  // primaries that are known to be absent, and whose copies may go
	// selects reports whether the filter selects any source object; it is computed once in a pass.
	selects func() bool
}

func newPass(w *worker, batch live.Batch) *pass {
	c := w.controller
	p := &pass{worker: w, prepared: w.prepared, memory: w.memory, queue: w.self.Queue, options: c.options, metrics: c.metrics,
		workspaces: c.workspaces, batch: batch, workspaceErrs: map[string]error{}, gone: map[string]bool{}}
	p.selects = sync.OnceValue(p.filterSelects)
	return p
}

// filterSelects reports whether the filter selects any source object of any workspace.
func (p *pass) filterSelects() bool {
	for _, s := range p.workspaces {
		sources, spaces := p.prepared.cache(s.Name, p.prepared.remote), p.prepared.cache(s.Name, namespaces)
		if sources == nil {
			continue
		}
		for _, o := range sources.List() {
			var ns *krm.Object
			if spaces != nil {
				ns = spaces.Get(live.Key{Name: o.Namespace()})
			}
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
		if err := p.worker.releaseAll(ctx, p.prepared.config); err != nil {
			return &live.Fault{Reason: waybill.ReasonUnavailable, Message: "finalizers cannot be taken away: " + live.OneLine(err.Error())}
		}
		return nil
	}
	if err := p.cacheErr(""); err != nil {
		return p.faultOf(err)
	}
	if f := p.checkWorkspaces(); f != nil {
		return f
	}
	if err := p.worker.setOwnFinalizer(ctx, p.worker.self.Object.Load(), true); err != nil {
		return p.faultOf(fmt.Errorf("put the finalizer on the PublishedResource: %w", err))
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
	p.memory.mu.Lock()
	p.memory.unavailable, p.memory.waiting = live.OneLine(strings.Join(unavailable, "; ")), waiting > 0
	if p.batch.All {
		clear(p.memory.statuses) // a type may have got one
	}
	p.memory.mu.Unlock()
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
func (p *pass) reconcileAll(ctx context.Context, due []task) {
	slots := make(chan struct{}, p.options.Parallel)
	var all sync.WaitGroup
	for _, t := range due {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			p.record(ctx, t.key, p.reconcile(ctx, t))
		})
	}
	all.Wait()
}

// record notes what is wrong with a primary, and reports it once for as long as it stays the same.
func (p *pass) record(ctx context.Context, key string, err error) {
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, live.ErrConflict) {
		p.queue.AddAfter(key, p.options.FirstRetry)
		return
	}
	m := p.memory
	m.mu.Lock()
	before := m.failing[key]
	if err == nil {
		delete(m.failing, key)
		m.mu.Unlock()
		return
	}
	now := failure{text: live.OneLine(err.Error()), pause: min(max(2*before.pause, p.options.FirstRetry), p.options.LastRetry)}
	m.failing[key] = now
	m.mu.Unlock()
	p.queue.AddAfter(key, now.pause)
	if now.text == before.text {
		return
	}
	p.options.Log.Info("an object has errors", "publishedresource", p.worker.name, "object", key, "reason", now.text)
	if cluster, id, err := applyset.ParseKey(key); err == nil {
		primary := p.prepared.cache(cluster, p.prepared.remote).Get(live.Key{Namespace: id.Namespace, Name: id.Name})
		p.worker.controller.server(cluster).event(primary, eventError, p.worker.name+": "+withoutOthers(cluster, now.text))
	}
}

// setMetrics counts the primaries by their state.
func (p *pass) setMetrics() {
	p.memory.mu.Lock()
	failing, detached := len(p.memory.failing), p.memory.detached
	p.memory.mu.Unlock()
	existing := 0
	for _, s := range p.workspaces {
		if p.workspaceErrs[s.Name] == nil {
			existing += p.prepared.cache(s.Name, p.prepared.remote).Len()
		}
	}
	p.metrics.primaries.WithLabelValues(p.worker.name, "failing").Set(float64(failing))
	p.metrics.primaries.WithLabelValues(p.worker.name, "well").Set(float64(max(0, existing-failing)))
	p.metrics.primaries.WithLabelValues(p.worker.name, "detached").Set(float64(detached))
}
