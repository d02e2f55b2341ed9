package combinedstatus

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/pkg/status/engine"
)

const (
	// evaluationSlice is about how long one evaluation blocks event handlers.
	evaluationSlice = 5 * time.Millisecond
	// longestEvaluation is how long a reconcile may evaluate before it writes its results, and how long changed Bindings may
	// wait to count.
	longestEvaluation = time.Second
)

// evaluate evaluates what changed, in slices, until the time is over, and reports whether something is left. Event handlers
// run between slices.
func (r *reconciler) evaluate(ctx context.Context, until time.Time) (left bool) {
	reindexed := time.Time{}
	for {
		if time.Since(reindexed) >= longestEvaluation {
			r.reindex()
			reindexed = time.Now()
		}
		began := time.Now()
		left = r.evaluateSlice(ctx)
		now := time.Now()
		if !left || ctx.Err() != nil || !now.Before(until) {
			return left
		}
		if r.state.updaters.Load() > 0 {
			time.Sleep(now.Sub(began)) // event handlers get as much time
		}
	}
}

func (r *reconciler) reindex() {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	r.state.plan.Engine.Reindex()
}

func (r *reconciler) evaluateSlice(ctx context.Context) (left bool) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	left, _ = r.state.plan.Engine.Evaluate(ctx, r.costs.watch(time.Now().Add(evaluationSlice))) // its only error is that of ctx
	return left
}

// cost is the number of rows of a collector, and how long they took.
type cost struct {
	rows int
	took time.Duration
}

// costs are the costs of one reconcile, by collector.
type costs struct {
	of     map[string]cost
	last   time.Time            // when the last step ended
	logged map[string]time.Time // when a collector was last logged
}

func newCosts() *costs { return &costs{of: map[string]cost{}, logged: map[string]time.Time{}} }

func (c *costs) clear() { clear(c.of) }

// watch returns a function that measures steps, the first of which begins now, and lets the engine continue until end.
func (c *costs) watch(end time.Time) func(engine.Step) bool {
	c.last = time.Now()
	return func(done engine.Step) bool {
		now := time.Now()
		if done.Collector != "" {
			sum := c.of[done.Collector]
			c.of[done.Collector] = cost{sum.rows + 1, sum.took + now.Sub(c.last)}
		}
		c.last = now
		return now.Before(end)
	}
}

// slowest is the collector that took the most time; of several, the first by name.
func (c *costs) slowest() (name string) {
	for _, other := range slices.Sorted(maps.Keys(c.of)) {
		if name == "" || c.of[other].took > c.of[name].took {
			name = other
		}
	}
	return name
}

// log names the slowest collector of a reconcile that did not finish in time. It names each collector at most once a minute.
func (c *costs) log(log logr.Logger, now time.Time) {
	name := c.slowest()
	if last, was := c.logged[name]; name == "" || was && now.Sub(last) < time.Minute {
		return
	}
	c.logged[name] = now
	log.Info("results are late: there is more to evaluate than a pass has time for; one StatusCollector takes most of it",
		"statusCollector", name, "rows", c.of[name].rows, "took", c.of[name].took.Round(time.Millisecond).String())
}
