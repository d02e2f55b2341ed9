package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Options bound how long Run tries. A zero field has its default.
type Options struct {
	// Clock is the clock. Defaults to that of the system.
	Clock Clock
	// Rounds is how many rounds in succession may end without a success before Run gives up. Defaults to 5.
	Rounds int
	// FirstWait is the wait after the first such round; each further wait is twice as long, up to LongestWait.
	// Defaults to 500ms and 30s.
	FirstWait, LongestWait time.Duration
	// HandBack makes Run return, with RetryAfter set, when the backend asks to wait. Otherwise Run waits that long,
	// LongestWait at most, and continues with what it has not tried.
	HandBack bool
	// Slice is the time after which Run starts no further operation. 0: no limit.
	Slice time.Duration
	// Skip, if set, reports whether to try nothing of a Translation.
	Skip func(translation string) bool
	// URLMoved allows the client to have another address than the inventory, which then takes that address.
	URLMoved bool
	// Observe, if set, gets the outcome of an operation after every attempt.
	Observe func(Outcome)
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	o.Rounds = cmp.Or(max(o.Rounds, 0), 5)
	o.FirstWait = cmp.Or(max(o.FirstWait, 0), 500*time.Millisecond)
	o.LongestWait = cmp.Or(max(o.LongestWait, 0), 30*time.Second)
	if o.Skip == nil {
		o.Skip = func(string) bool { return false }
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

// ErrStale is the error of a plan that was made from another inventory than that in the store: plan again.
var ErrStale = errors.New("the inventory has changed since the plan was made: plan again")

// MovedError reports that the inventory was applied at another address: the backend at this one may not have
// the resources in it.
type MovedError struct{ Was, Is string }

// Error says both addresses.
func (e *MovedError) Error() string {
	return fmt.Sprintf("the inventory is of the backend at %s, not of that at %s", e.Was, e.Is)
}

// Run executes a plan. The plan must have been made from the inventory in the store, or be the last plan that was started on
// it: Run then resumes it. The inventory remembers the address of the backend, and Run uses it at no other address.
//
// Run tries the operations in order, one at a time. If one fails, the later ones of its Translation wait, and so do those
// that depend on it; all others are tried before it is tried again. Run repeats what may succeed later as long as anything
// succeeds, and then a few times more with waits between. When several operations in succession get no answer, or are asked
// to wait, the rest of the round is left out and comes first in the next. Run saves the inventory before each call, before
// each wait, and before it returns.
//
// The Result is there with every error. An error means that nothing more could be done: the plan does not fit, the store
// failed, the context has ended, or the backend rejects the credentials.
func Run(
	ctx context.Context, client *httpclient.Client, plan *waybill.BackendPlan, store inventory.Store, options Options,
) (*Result, error) {
	r := &run{client: client, table: client.Table(), store: store, options: options.withDefaults(), result: &Result{}}
	inventory, err := store.Load(ctx)
	if err != nil {
		return r.result, fmt.Errorf("load the inventory: %w", err)
	}
	if err := r.start(plan, inventory); err != nil {
		return &Result{}, err
	}
	err = r.runRounds(ctx)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	return r.finish(), errors.Join(err, r.flush(saving))
}

// saveTimeout bounds the last save, which also happens after the context has ended.
const saveTimeout = 30 * time.Second
