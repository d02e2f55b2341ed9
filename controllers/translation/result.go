package translation

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// result is the result of a round for one Translation.
type result struct {
	done, pending int    // operations
	failure       string // the first; "" for none
	permanent     bool
	refused       bool   // an operation failed permanently
	backendFault  bool   // an operation failed for the backend's own trouble
	unattempted   bool   // an operation was not tried although it depends on nothing
	note          string // about an operation whose effect is not known for sure
}

func (w *round) result(key string) *result {
	res := w.results[key]
	if res == nil {
		res = &result{}
		w.results[key] = res
	}
	return res
}

// addError adds an error of a Translation itself, which is not retried before it changes.
func (w *round) addError(key, message string) {
	if res := w.result(key); res.failure == "" {
		res.failure, res.permanent = message, true
	}
}

// addProblems adds the errors of a plan.
func (w *round) addProblems(problems []waybill.BackendProblem) {
	for _, p := range problems {
		if w.kept[p.Translation] {
			continue // unchanged causes it
		}
		at := ""
		if p.Index != nil {
			at = fmt.Sprintf("resources[%d]: ", *p.Index)
		}
		w.addError(p.Translation, at+p.Message)
	}
}

// addOutcome adds the outcome of one operation.
func (w *round) addOutcome(o apply.Outcome) {
	res, op := w.result(o.Operation.Translation), o.Operation
	switch f := o.Failure; {
	case o.State == apply.StateDone:
		operationsTotal.WithLabelValues(op.Op, "done").Inc()
		if op.Op != waybill.OpMove {
			res.done++
		}
		if o.Note != "" && res.note == "" {
			res.note = fmt.Sprintf("; %s %s: %s", op.Kind, op.ID, o.Note)
		}
	case f != nil:
		operationsTotal.WithLabelValues(op.Op, string(f.Class)).Inc()
		res.pending++
		switch f.Class {
		case httpclient.ClassRetry, httpclient.ClassAuth:
			res.backendFault = res.backendFault || !f.Missing
		case httpclient.ClassConflict:
		default:
			res.permanent, res.refused = true, true
		}
		if res.failure == "" {
			res.failure = fmt.Sprintf("%s %s %s: %s: %s", op.Op, op.Kind, op.ID, f.Class, f.Message)
		}
	default:
		res.pending++
		res.unattempted = res.unattempted || o.WaitsFor == ""
	}
}
