package backend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Clock is what Apply knows of time.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Options bound how long Apply tries. A zero field has its default.
type Options struct {
	// Clock is the clock. Defaults to that of the system.
	Clock Clock
	// Rounds is how often in succession Apply goes through what is left without anything succeeding
	// before it gives up; 1 gives up at the first. Defaults to 5.
	Rounds int
	// FirstWait is the time before the second of such rounds; it doubles from then on, up to LongestWait.
	// Defaults to 500ms and 30s.
	FirstWait, LongestWait time.Duration
	// Observe, if set, is told what became of an operation, each time that it was tried.
	Observe func(Outcome)
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Rounds <= 0 {
		o.Rounds = 5
	}
	if o.FirstWait <= 0 {
		o.FirstWait = 500 * time.Millisecond
	}
	if o.LongestWait <= 0 {
		o.LongestWait = 30 * time.Second
	}
	if o.Observe == nil {
		o.Observe = func(Outcome) {}
	}
	return o
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// ErrStale is the error of a plan that was made from another inventory than the store has: plan anew.
var ErrStale = errors.New("the inventory has changed since the plan was made: plan anew")

// Apply carries a plan out. The plan must have been made from the inventory that the store has, or be
// the one that was begun on it last: then it is taken up where it was left.
//
// Operations are tried in order, one at a time. One that fails stops those of its Translation, and those
// that need what it was about; others go on. What may pass is tried again after them, as long as
// anything succeeds, and then a few times more with waits between. The inventory is saved before each
// call, and whenever Apply waits or returns.
//
// The Result is there whatever the error. An error means that nothing more could be done: the plan does
// not fit, the store failed, the context has ended, or the backend does not know who asks.
func Apply(ctx context.Context, client *Client, plan *waybill.BackendPlan, store Store, options Options) (*Result, error) {
	r := &run{client: client, table: client.table, store: store, options: options.withDefaults(), result: &Result{}}
	inventory, err := store.Load(ctx)
	if err != nil {
		return r.result, fmt.Errorf("load the inventory: %w", err)
	}
	if err := r.begin(plan, inventory); err != nil {
		return r.result, err
	}
	err = r.rounds(ctx)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	return r.finish(), errors.Join(err, r.flush(saving))
}

// saveTimeout bounds the last save, which is made even though the context has ended.
const saveTimeout = 30 * time.Second

// rounds goes through what is left until nothing is, or nothing helps.
func (r *run) rounds(ctx context.Context) error {
	for idle := 0; ; {
		round := &round{run: r}
		if err := round.attempt(ctx); err != nil {
			return err
		}
		if idle++; round.progress {
			idle = 0
		}
		if len(r.left) == 0 || !round.again || idle >= r.options.Rounds {
			return nil
		}
		wait := r.backoff(idle, round)
		if wait > r.options.LongestWait {
			r.result.RetryAfter = wait
			return nil
		}
		if wait == 0 {
			continue
		}
		if err := r.flush(ctx); err != nil {
			return err
		}
		if err := r.options.Clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// backoff is how long to wait before the next round. What was only waiting for something else does not
// wait for time when something has changed.
func (r *run) backoff(idle int, last *round) time.Duration {
	if last.progress && !last.troubled {
		return last.after
	}
	wait := r.options.FirstWait
	for range idle - 1 {
		wait = min(2*wait, r.options.LongestWait)
	}
	return max(wait, last.after)
}
