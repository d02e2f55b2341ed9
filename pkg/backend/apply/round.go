package apply

import (
	"context"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

const (
	// maxUnanswered is how many operations in succession may get no answer, or be asked to wait, before the rest of the round
	// is left out: it would probably fail for the same reason.
	maxUnanswered = 3
	// maxServerErrors is how many may fail with a server error. Each may have its own cause, so the limit doubles with every
	// round without a success, and the last round has none.
	maxServerErrors = 20
)

// round is one attempt at everything that remains.
type round struct {
	*run
	began      time.Time // of the first round
	idleRounds int       // rounds in succession before this one without a success

	progress      bool // something succeeded
	mayRetry      bool // something failed that may succeed later
	backendFailed bool // without an answer, or with a server error
	stop          bool // nothing more is to be tried at all

	unanswered, askedToWait, serverErrors int // failures since the last success
}

// tryAll tries the tasks that depend on nothing unfinished. After an error nothing else can be tried. Where the
// rest of the round is left out, it comes first in the next.
func (r *round) tryAll(ctx context.Context) error {
	left := r.remaining[:0:0]
	for at, i := range r.remaining {
		done, err := r.tryIfReady(ctx, i)
		if !done {
			left = append(left, i)
		}
		if err != nil || r.stop || r.endsEarly() {
			r.remaining = append(append(r.remaining[:0:0], r.remaining[at+1:]...), left...)
			return err
		}
	}
	r.remaining = left
	return nil
}

// tryIfReady tries a task that is ready and due.
func (r *round) tryIfReady(ctx context.Context, i int) (done bool, err error) {
	t := &r.tasks[i]
	if !r.ready(i) || r.options.Skip(t.op.Translation) {
		return false, nil
	}
	if r.options.Clock.Now().Before(t.notBefore) {
		r.mayRetry = true
		return false, nil
	}
	done, err = r.try(ctx, i)
	if o := r.result.Outcomes[i]; o.State != StateNotAttempted {
		r.options.Observe(o)
	}
	if slice := r.options.Slice; slice > 0 && r.options.Clock.Now().Sub(r.began) >= slice {
		r.stop, r.result.Unfinished = true, true
	}
	return done, err
}

// endsEarly reports whether to leave out the rest of the round.
func (r *round) endsEarly() bool {
	last := r.idleRounds == r.options.Rounds-1
	return r.unanswered >= maxUnanswered || r.askedToWait >= maxUnanswered || r.serverErrors >= maxServerErrors<<r.idleRounds && !last
}

// ready reports whether a task can be tried: it has not failed for good, and all that it depends on is done.
func (r *run) ready(i int) bool {
	if f := r.result.Outcomes[i].Failure; f != nil && !f.Retryable() {
		return false
	}
	return !slices.ContainsFunc(r.tasks[i].dependsOn, func(on int) bool { return !r.tasks[on].done })
}

// try executes one operation; it saves the inventory before, and records the outcome after.
func (r *round) try(ctx context.Context, i int) (done bool, err error) {
	t, outcome := &r.tasks[i], &r.result.Outcomes[i]
	if r.resumed && r.alreadyDone(t) {
		t.done, outcome.State = true, StateSkipped
		r.progress = true
		return true, nil
	}
	if t.op.Op == waybill.OpMove {
		r.recordMove(t)
		t.done, outcome.State, r.progress = true, StateDone, true
		return true, nil
	}
	if err := r.waitForBackend(ctx); err != nil {
		return false, err
	}
	r.recordIntent(t)
	if err := r.flush(ctx); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	o := r.execute(ctx, t)
	r.result.Calls += o.Calls
	if o.Failure != nil {
		outcome.State, outcome.Failure = StateFailed, o.Failure
		return false, r.handleFailure(ctx, t, o)
	}
	r.recordSuccess(t, o)
	t.done, outcome.State, outcome.Failure, outcome.Note = true, StateDone, nil, t.noteFor(o)
	r.progress, r.unanswered, r.askedToWait, r.serverErrors = true, 0, 0, 0
	return true, nil
}

func (r *round) execute(ctx context.Context, t *task) httpclient.Effect {
	switch t.op.Op {
	case waybill.OpCreate:
		return r.client.Create(ctx, t.item)
	case waybill.OpReplace:
		return r.client.Replace(ctx, t.item)
	}
	return r.client.Delete(ctx, r.table.Kind(t.op.Kind), t.op.Parent, t.op.ID)
}

// noteFor says what is not known about a resource that the backend had and the inventory did not. One that an earlier attempt
// created needs no note.
func (t *task) noteFor(o httpclient.Effect) string {
	switch {
	case t.op.Op != waybill.OpCreate || o.Created || !t.wasUnknown:
		return ""
	case o.Difference == "" && t.item.Kind.Ordered:
		return "it existed already: its place among the others is not known"
	case o.Difference == "":
		return ""
	}
	return "it existed already, " + o.Difference
}
