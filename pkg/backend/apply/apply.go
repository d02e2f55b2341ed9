package apply

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
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
	// HandBack has Apply return, with RetryAfter, when the backend wants to be left alone. Without, it
	// pauses for as long, LongestWait at most, and goes on with what was not tried.
	HandBack bool
	// Slice is the time after which no further operation is begun. 0: there is no such time.
	Slice time.Duration
	// Skip, if set, says of which Translations nothing is tried.
	Skip func(translation string) bool
	// URLMoved lets the client's address differ from the one that the inventory has, and take its place.
	URLMoved bool
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

// ErrStale is the error of a plan that was made from another inventory than the store has: plan anew.
var ErrStale = errors.New("the inventory has changed since the plan was made: plan anew")

// MovedError is the error of an inventory that was applied at another address: what it says is there may
// not be here.
type MovedError struct{ Was, Is string }

// Error says both addresses.
func (e *MovedError) Error() string {
	return fmt.Sprintf("the inventory is of the backend at %s, not of that at %s", e.Was, e.Is)
}

// Run carries a plan out. The plan must have been made from the inventory that the store has, or be
// the one that was begun on it last: then it is taken up where it was left. The inventory remembers the
// address of the backend, and is applied at no other.
//
// Operations are tried in order, one at a time. One that fails stops those of its Translation, and those
// that need it; others go on, and are all tried before it is tried again. What may pass is tried again as
// long as anything succeeds, and then a few times more with waits between. Only when several in succession
// bring no answer at all, or the wish to be left alone, the others wait, and come first afterwards. The
// inventory is saved before each call, and whenever Apply waits or returns.
//
// The Result is there whatever the error. An error means that nothing more could be done: the plan does
// not fit, the store failed, the context has ended, or the backend does not know who asks.
func Run(ctx context.Context, client *httpclient.Client, plan *waybill.BackendPlan, store inventory.Store, options Options) (*Result, error) {
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

// saveTimeout bounds the last save, which is made even though the context has ended.
const saveTimeout = 30 * time.Second
