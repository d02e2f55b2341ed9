package combinedstatus

import (
	"context"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/plan"
)

// reconciler reconciles the requested objects again and again.
type reconciler struct {
	state    *state
	home     *server
	options  Options
	retries  workqueue.TypedRateLimiter[plan.Request]
	costs    *costs
	warnings *warningLog
	errors   map[string]string // the last logged error of each object
}

func newReconciler(s *state, home *server, o Options) *reconciler {
	return &reconciler{
		state: s, home: home, options: o,
		retries: workqueue.NewTypedItemExponentialFailureRateLimiter[plan.Request](o.FirstRetry, o.LastRetry),
		costs:   newCosts(), warnings: newWarningLog(o.Log), errors: map[string]string{},
	}
}

// run reconciles until ctx ends: after changes, and at most once in an Interval. In the rest of the Interval it evaluates
// what is left.
func (r *reconciler) run(ctx context.Context) {
	for {
		select {
		case <-r.state.wake:
		case <-ctx.Done():
			return
		}
		if !r.ready() {
			continue
		}
		began := time.Now()
		left := r.reconcile(ctx, began)
		passSeconds.Observe(time.Since(began).Seconds())
		end := began.Add(r.options.Interval)
		if left {
			r.evaluate(ctx, end)
			r.state.wakeUp()
		}
		if !live.Sleep(ctx, time.Until(end)) {
			return
		}
	}
}

// ready reports whether to reconcile. The first reconcile waits, for one Interval at most, until all objects of the workload
// kinds are known, or it would write next to nothing.
func (r *reconciler) ready() bool {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	reportCount.Set(float64(s.plan.Engine.Reports()))
	switch {
	case !s.hasSynced():
		return false
	case s.workloadsSynced() || s.waited:
		s.waited = true
		return true
	case s.firstWait == nil:
		s.firstWait = time.AfterFunc(r.options.Interval, func() { s.update(func() { s.waited = true }) })
	}
	return false
}

// reconcile evaluates what has changed, as far as there is time, and writes the results. It reports whether something is left
// to evaluate.
func (r *reconciler) reconcile(ctx context.Context, began time.Time) (left bool) {
	r.costs.clear()
	if left = r.evaluate(ctx, began.Add(min(r.options.Interval, longestEvaluation))); left {
		r.costs.log(r.options.Log, began)
	}
	writes := r.plan(ctx)
	workqueue.ParallelizeUntil(ctx, r.options.Workers, len(writes), func(i int) { r.execute(ctx, writes[i]) })
	return left
}

// plan returns the writes for all requests, in order.
func (r *reconciler) plan(ctx context.Context) (writes []*plan.Write) {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hasSynced() || ctx.Err() != nil {
		return nil
	}
	s.announce()
	r.noteChanges(s.plan.Refresh())
	s.stopUnusedWatches()
	for _, req := range s.plan.TakeRequests() {
		if w := r.planOne(req); w != nil {
			writes = append(writes, w)
		}
	}
	return writes
}

// planOne returns the write for a request; nil for none.
func (r *reconciler) planOne(req plan.Request) *plan.Write {
	w, err := r.state.plan.Plan(req, r.options.Now())
	if err != nil {
		r.state.log.Error(err, "cannot be written", "object", req.String())
	}
	if w == nil {
		r.retries.Forget(req)
	}
	return w
}

// noteChanges updates the metrics, and logs what is wrong or odd.
func (r *reconciler) noteChanges(changes engine.Changes) {
	rowsTotal.Add(float64(changes.Rows))
	waitingCount.Set(float64(r.state.plan.Engine.Waiting()))
	for _, err := range changes.Errors {
		r.options.Log.Error(err, "a result is left out")
	}
	for _, name := range changes.Combined {
		r.logCombinedWarnings(name)
	}
	r.logReportWarnings(time.Now())
}
