package pusher

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// fault notes what is wrong with a Translation itself: there is nothing to try again until it changes.
func (w *work) fault(key, message string) {
	if t := w.tally(key); t.failure == "" {
		t.failure, t.permanent = message, true
	}
}

// problems notes what the plan found wrong.
func (w *work) problems(all []waybill.BackendProblem) {
	for _, p := range all {
		if w.held[p.Translation] {
			continue // it was asked to
		}
		at := ""
		if p.Index != nil {
			at = fmt.Sprintf("resources[%d]: ", *p.Index)
		}
		w.fault(p.Translation, at+p.Message)
	}
}

// outcome notes what became of one operation.
func (w *work) outcome(o apply.Outcome) {
	t := w.tally(o.Operation.Translation)
	switch f := o.Failure; {
	case o.State == apply.StateDone:
		w.meters.operations.WithLabelValues(o.Operation.Op, "done").Inc()
		if o.Operation.Op != waybill.OpMove {
			t.done++
		}
		if o.Note != "" && t.note == "" {
			t.note = fmt.Sprintf("; %s %s: %s", o.Operation.Kind, o.Operation.ID, o.Note)
		}
	case f != nil:
		w.meters.operations.WithLabelValues(o.Operation.Op, string(f.Class)).Inc()
		t.waiting++
		switch f.Class {
		case httpclient.ClassRetry, httpclient.ClassAuth:
			t.troubled = t.troubled || !f.Missing
		case httpclient.ClassConflict:
		default:
			t.permanent, t.refused = true, true
		}
		if t.failure == "" {
			t.failure = fmt.Sprintf("%s %s %s: %s: %s", o.Operation.Op, o.Operation.Kind, o.Operation.ID, f.Class, f.Message)
		}
	default:
		t.waiting++
		t.unreached = t.unreached || o.WaitsFor == ""
	}
}
