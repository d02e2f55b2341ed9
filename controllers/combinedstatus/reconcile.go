package combinedstatus

import (
	"context"
	"maps"
	"slices"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// reconciler reconciles what was requested, again and again.
type reconciler struct {
	state    *state
	writer   *writer
	options  Options
	retries  workqueue.TypedRateLimiter[request]
	costs    *costs
	warnings *warningLog
	errors   map[string]string // the last one that was logged about each object
}

func newReconciler(s *state, w *writer, o Options) *reconciler {
	return &reconciler{
		state: s, writer: w, options: o,
		retries: workqueue.NewTypedItemExponentialFailureRateLimiter[request](o.FirstRetry, o.LastRetry),
		costs:   newCosts(), warnings: newWarningLog(o.Log), errors: map[string]string{},
	}
}

// run reconciles until ctx ends: when something changed, and once in an Interval at most. The rest of the
// Interval goes to what was left to evaluate.
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
		if !sleep(ctx, time.Until(end)) {
			return
		}
	}
}

// sleep returns false when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// ready reports whether a reconcile makes sense. The first waits, for one Interval at most, until all objects
// of the workload kinds are known, or it would write next to nothing.
func (r *reconciler) ready() bool {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	reportCount.Set(float64(s.engine.Reports()))
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

// reconcile evaluates what has changed, as far as there is time, and writes the results. It reports whether
// something is left to evaluate.
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
func (r *reconciler) plan(ctx context.Context) (writes []*write) {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hasSynced() || ctx.Err() != nil {
		return nil
	}
	s.announce()
	r.requestChanges()
	for _, req := range slices.SortedFunc(maps.Keys(s.requests), request.compare) {
		if s.backoff.Has(req) {
			continue
		}
		w, err := s.plan(req, r.writer)
		if err != nil {
			s.log.Error(err, "cannot be written", "object", req.String())
		}
		if w != nil {
			writes = append(writes, w)
		} else {
			r.retries.Forget(req)
		}
	}
	s.requests.Clear()
	return writes
}

// requestChanges requests the objects whose desired state changed.
func (r *reconciler) requestChanges() {
	s := r.state
	s.engine.Reindex()
	changes := s.engine.Changes()
	rowsTotal.Add(float64(changes.Rows))
	waitingCount.Set(float64(s.engine.Waiting()))
	for _, err := range changes.Errors {
		s.log.Error(err, "a result is left out")
	}
	for _, name := range changes.Combined {
		s.requestCombined(name)
		r.logCombinedWarnings(name)
	}
	for _, key := range changes.Decided {
		for _, name := range s.undecided[key] {
			s.requestCombined(name)
		}
		delete(s.undecided, key)
	}
	for _, ref := range changes.Returned {
		s.requests.Insert(request{targetWorkload, ref})
	}
	if changes.Reindexed { // everything may have been decided
		clear(s.undecided)
		for name := range s.combined {
			s.requestCombined(name)
		}
		s.requestAll(targetBinding)
		s.requestAll(targetPolicy)
	}
	r.logReportWarnings(time.Now())
	s.stopUnusedWatches()
}
