package backend

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// down is how many operations in succession may fail by the backend's own trouble before the rest of
// the round is left out: it would fail by the same.
const down = 3

// round is one look at all that is left.
type round struct {
	*run
	progress bool          // something succeeded
	again    bool          // something failed that may pass
	troubled bool          // by the backend's own trouble
	after    time.Duration // for which the backend wants to be left alone
	inRow    int           // failures by its own trouble without success between
}

// attempt tries what waits for nothing. The error is one after which nothing else can be tried.
func (r *round) attempt(ctx context.Context) error {
	left := r.left[:0]
	for at, i := range r.run.left {
		if !r.ready(i) {
			left = append(left, i)
			continue
		}
		done, err := r.try(ctx, i)
		if o := r.result.Outcomes[i]; o.State != StateNotAttempted {
			r.options.Observe(o)
		}
		if !done {
			left = append(left, i)
		}
		if pause := r.after > 0 || r.inRow >= down; err != nil || pause {
			r.left = append(left, r.left[at+1:]...)
			return err
		}
	}
	r.left = left
	return nil
}

// ready reports whether a task can be tried: it did not fail for good, and everything before it is done.
func (r *round) ready(i int) bool {
	if f := r.result.Outcomes[i].Failure; f != nil && !f.retryable() {
		return false
	}
	for _, w := range r.tasks[i].waits {
		if !r.tasks[w].done {
			return false
		}
	}
	return true
}

// try does one operation, with the inventory saved before and what became of it noted after.
func (r *round) try(ctx context.Context, i int) (done bool, err error) {
	t, outcome := &r.tasks[i], &r.result.Outcomes[i]
	if r.resumed && r.wasDone(t) {
		t.done, outcome.State = true, StateSkipped
		r.progress = true
		return true, nil
	}
	if t.op.Op == waybill.OpMove {
		r.move(t)
		t.done, outcome.State, r.progress = true, StateDone, true
		return true, nil
	}
	r.intend(t)
	if err := r.flush(ctx); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	o := r.operate(ctx, t)
	r.result.Calls += o.calls
	if o.failure != nil {
		outcome.State, outcome.Failure = StateFailed, o.failure
		return false, r.failed(ctx, t, o)
	}
	r.succeeded(t, o)
	t.done, outcome.State, outcome.Failure = true, StateDone, nil
	r.progress, r.inRow = true, 0
	return true, nil
}

func (r *round) operate(ctx context.Context, t *task) operated {
	switch t.op.Op {
	case waybill.OpCreate:
		return r.client.create(ctx, t.item)
	case waybill.OpReplace:
		return r.client.replace(ctx, t.item)
	}
	return r.client.remove(ctx, r.table.kinds[t.op.Kind], t.op.Parent, t.op.ID)
}

// failed draws conclusions from a failure for the rest of the round, and for the inventory.
func (r *round) failed(ctx context.Context, t *task, o operated) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f := o.failure
	if o.refused {
		r.forget(t)
	}
	if f.Class == ClassAuth {
		return &AuthError{f.Message}
	}
	if !f.retryable() {
		return nil
	}
	r.again = true
	if f.Class == ClassConflict || f.Missing {
		return nil
	}
	r.troubled, r.inRow = true, r.inRow+1
	r.after = retryAfter(f.after, r.options.Clock.Now())
	return nil
}

// AuthError is the error of a backend that does not know who asks.
type AuthError struct{ Message string }

// Error says what the backend said.
func (e *AuthError) Error() string { return "the backend does not know who asks: " + e.Message }

// retryAfter is what a Retry-After header asks for; nothing if it cannot be understood.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
