package status

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/status/engine"
)

// passes write what is due, again and again.
type passes struct {
	*world
	writer  *writer
	options Options
	retries workqueue.TypedRateLimiter[task]
}

// run makes passes until ctx ends: when something changed, and no sooner than Interval after the one before.
func (p *passes) run(ctx context.Context) {
	for {
		select {
		case <-p.wake:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		p.pass(ctx)
		p.meters.passes.Observe(time.Since(began).Seconds())
		select {
		case <-time.After(p.options.Interval - time.Since(began)):
		case <-ctx.Done():
			return
		}
	}
}

// pass evaluates what has changed and writes what comes of it.
func (p *passes) pass(ctx context.Context) {
	queue := make(chan *action)
	var workers sync.WaitGroup
	for range p.options.Workers {
		workers.Go(func() {
			for a := range queue {
				p.do(ctx, a)
			}
		})
	}
	for _, a := range p.due(ctx) {
		queue <- a
	}
	close(queue)
	workers.Wait()
}

// due are the writes that are due, in order.
func (p *passes) due(ctx context.Context) (out []*action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.meters.reports.Set(float64(p.engine.Reports()))
	if !p.whole() {
		return nil
	}
	p.refresh(ctx)
	for _, t := range slices.SortedFunc(maps.Keys(p.tasks), task.compare) {
		a, err := p.plan(t, p.writer)
		if err != nil {
			p.log(err, "cannot be written", "object", t.String())
		}
		if a != nil {
			out = append(out, a)
		} else {
			p.retries.Forget(t)
		}
	}
	clear(p.tasks)
	return out
}

// refresh has the engine look at what changed, and makes tasks of what comes of it.
func (p *passes) refresh(ctx context.Context) {
	changes, err := p.engine.Refresh(ctx)
	p.meters.rows.Add(float64(changes.Rows))
	if err != nil { // ctx ended, and with it everything
		return
	}
	for _, refused := range changes.Refused {
		p.log(refused, "a result is left out")
	}
	for _, at := range changes.Combined {
		p.tasks[task{combinedOf, engine.Target{Namespace: at.Namespace, Name: at.Name}}] = struct{}{}
		p.warn(at)
	}
	for _, t := range changes.Returned {
		p.tasks[task{returnedTo, t}] = struct{}{}
	}
	if changes.Restructured { // what nobody decided about may be due to go
		for at := range p.combined {
			p.tasks[task{combinedOf, engine.Target{Namespace: at.Namespace, Name: at.Name}}] = struct{}{}
		}
		p.conditions()
	}
}

// warn logs what is odd about a result.
func (p *passes) warn(at engine.Name) {
	wanted, _ := p.engine.Wanted(at)
	for _, w := range wanted.Warnings {
		p.options.Log.V(1).Info(w.String(), "combinedStatus", at.Namespace+"/"+at.Name)
	}
}

// do writes once. What fails comes back after a pause.
func (p *passes) do(ctx context.Context, a *action) {
	now, err := a.run(ctx)
	p.meters.wrote(a, err)
	if err == nil {
		p.retries.Forget(a.task)
		p.took(a, now)
		return
	}
	if ctx.Err() != nil {
		return
	}
	if !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) { // else somebody was faster
		p.log(err, "not written; it is tried again", "object", a.String(), "verb", string(a.verb))
	}
	time.AfterFunc(p.retries.When(a.task), func() {
		p.change(func() { p.tasks[a.task] = struct{}{} })
	})
}

func (p *passes) took(a *action, now *unstructured.Unstructured) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a.done(now)
}
