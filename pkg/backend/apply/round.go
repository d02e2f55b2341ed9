package apply

import (
	"context"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

const (
	// down is how many operations in succession may bring no answer, or the wish to be left alone, before
	// the rest of the round is left out: it would fail by the same.
	down = 3
	// ailing is how many may fail by the backend's own trouble: it may be trouble with each of them alone,
	// so that it doubles with each round that brings nothing, and in the last there is no such bound.
	ailing = 20
)

// round is one look at all that is left.
type round struct {
	*run
	began time.Time // of the first round
	idle  int       // rounds in succession before this one that brought nothing

	progress bool // something succeeded
	again    bool // something failed that may pass
	troubled bool // by the backend's own trouble
	over     bool // nothing more is to be tried at all

	silent, asked, sick int // failures since something succeeded: without answer, with a pause, by trouble
}

// attempt tries what waits for nothing. The error is one after which nothing else can be tried. Where the
// rest is left out, it comes first in the next round.
func (r *round) attempt(ctx context.Context) error {
	left := r.left[:0:0]
	for at, i := range r.left {
		done, err := r.look(ctx, i)
		if !done {
			left = append(left, i)
		}
		if err != nil || r.over || r.cut() {
			r.left = append(append(r.left[:0:0], r.left[at+1:]...), left...)
			return err
		}
	}
	r.left = left
	return nil
}

// look tries a task if it can be tried.
func (r *round) look(ctx context.Context, i int) (done bool, err error) {
	t := &r.tasks[i]
	if !r.ready(i) || r.options.Skip(t.op.Translation) {
		return false, nil
	}
	if r.options.Clock.Now().Before(t.until) {
		r.again = true
		return false, nil
	}
	done, err = r.try(ctx, i)
	if o := r.result.Outcomes[i]; o.State != StateNotAttempted {
		r.options.Observe(o)
	}
	if slice := r.options.Slice; slice > 0 && r.options.Clock.Now().Sub(r.began) >= slice {
		r.over, r.result.Unfinished = true, true
	}
	return done, err
}

// cut reports whether to leave out the rest of the round.
func (r *round) cut() bool {
	last := r.idle == r.options.Rounds-1
	return r.silent >= down || r.asked >= down || r.sick >= ailing<<r.idle && !last
}

// ready reports whether a task can be tried: it did not fail for good, and everything before it is done.
func (r *run) ready(i int) bool {
	if f := r.result.Outcomes[i].Failure; f != nil && !f.Retryable() {
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
	if err := r.pause(ctx); err != nil {
		return false, err
	}
	r.intend(t)
	if err := r.flush(ctx); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	o := r.operate(ctx, t)
	r.result.Calls += o.Calls
	if o.Failure != nil {
		outcome.State, outcome.Failure = StateFailed, o.Failure
		return false, r.failed(ctx, t, o)
	}
	r.succeeded(t, o)
	t.done, outcome.State, outcome.Failure, outcome.Note = true, StateDone, nil, t.note(o)
	r.progress, r.silent, r.asked, r.sick = true, 0, 0, 0
	return true, nil
}

func (r *round) operate(ctx context.Context, t *task) httpclient.Effect {
	switch t.op.Op {
	case waybill.OpCreate:
		return r.client.Create(ctx, t.item)
	case waybill.OpReplace:
		return r.client.Replace(ctx, t.item)
	}
	return r.client.Delete(ctx, r.table.Kind(t.op.Kind), t.op.Parent, t.op.ID)
}

// note says what is not known of a resource that was there before anything was known of it. What an
// attempt before this one has left there is as it should be.
func (t *task) note(o httpclient.Effect) string {
	switch {
	case t.op.Op != waybill.OpCreate || o.Created || !t.first:
		return ""
	case o.Difference == "" && t.item.Kind.Ordered:
		return "it was there already: where it stands among others is not known"
	case o.Difference == "":
		return ""
	}
	return "it was there already, " + o.Difference
}
