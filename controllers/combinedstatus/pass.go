package combinedstatus

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// passes write what is due, again and again.
type passes struct {
	*world
	writer  *writer
	options Options
	retries workqueue.TypedRateLimiter[task]
	costs   *costs
	odd     *oddities
	told    map[string]string // what was last logged to be wrong with a write, by what it is about
}

func newPasses(w *world, by *writer, o Options) *passes {
	return &passes{
		world: w, writer: by, options: o,
		retries: workqueue.NewTypedItemExponentialFailureRateLimiter[task](o.FirstRetry, o.LastRetry),
		costs:   newCosts(), odd: newOddities(o.Log), told: map[string]string{},
	}
}

// run makes passes until ctx ends: when something changed, and no sooner than Interval after the one before.
// Until then it goes on with what that one left to evaluate.
func (p *passes) run(ctx context.Context) {
	for {
		select {
		case <-p.wake:
		case <-ctx.Done():
			return
		}
		if !p.ready() {
			continue // it is told when there is more
		}
		began := time.Now()
		left := p.pass(ctx, began)
		p.meters.passes.Observe(time.Since(began).Seconds())
		end := began.Add(p.options.Interval)
		if left {
			p.evaluate(ctx, end)
			p.call()
		}
		select {
		case <-time.After(time.Until(end)):
		case <-ctx.Done():
			return
		}
	}
}

// ready reports whether a pass is of use. The first waits, for one Interval at most, until it is known what
// there is of all kinds that Bindings ask about, or it would write next to nothing.
func (p *passes) ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.meters.reports.Set(float64(p.engine.Reports()))
	switch {
	case !p.whole():
		return false
	case p.complete() || p.patience == spent:
		p.patience = spent
		return true
	case p.patience == fresh:
		p.patience = running
		time.AfterFunc(p.options.Interval, func() { p.change(func() { p.patience = spent }) })
	}
	return false
}

// pass evaluates what has changed, as far as there is time for it, and writes what comes of it. It reports
// whether something is left to evaluate.
func (p *passes) pass(ctx context.Context, began time.Time) (left bool) {
	p.costs.clear()
	if left = p.evaluate(ctx, began.Add(min(p.options.Interval, longest))); left {
		p.costs.tell(p.options.Log, began)
	}
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
	return left
}

// due are the writes that are due, in order.
func (p *passes) due(ctx context.Context) (out []*action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.whole() || ctx.Err() != nil {
		return nil
	}
	p.begin()
	p.take()
	for _, t := range slices.SortedFunc(maps.Keys(p.tasks), task.compare) {
		if p.held[t] {
			continue
		}
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

// take makes tasks of what came of what changed.
func (p *passes) take() {
	p.engine.Arrange()
	changes := p.engine.Changes()
	p.meters.rows.Add(float64(changes.Rows))
	p.meters.waiting.Set(float64(p.engine.Waiting()))
	for _, refused := range changes.Refused {
		p.log(refused, "a result is left out")
	}
	for _, at := range changes.Combined {
		p.look(at)
		p.warn(at)
	}
	for _, about := range changes.Decided { // what was kept may be due to go
		for _, at := range p.kept[about] {
			p.look(at)
		}
		delete(p.kept, about)
	}
	for _, t := range changes.Returned {
		p.tasks[task{returnedTo, t}] = struct{}{}
	}
	if changes.Restructured { // so may be all else
		clear(p.kept)
		for at := range p.combined {
			p.look(at)
		}
		p.conditions()
		p.policyErrors()
	}
	p.warnAll(time.Now())
	p.leave()
}

// look has a CombinedStatus looked at.
func (p *passes) look(at engine.Name) {
	p.tasks[task{combinedOf, engine.Target{Namespace: at.Namespace, Name: at.Name}}] = struct{}{}
}
