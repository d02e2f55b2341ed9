package apply

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// State is the state of an operation after a run.
type State string

// The states.
const (
	// StateDone is an operation that succeeded.
	StateDone State = "done"
	// StateSkipped is one that an earlier run of the same plan has done.
	StateSkipped State = "skipped"
	// StateFailed is one that failed, as its Failure says.
	StateFailed State = "failed"
	// StateNotAttempted is one that depends on another that is not done, or that was not reached.
	StateNotAttempted State = "not-attempted"
)

// Outcome is the result of one operation.
type Outcome struct {
	Operation waybill.BackendOperation
	State     State
	// Failure is set for what failed.
	Failure *httpclient.Failure
	// Note says in one line what is not known about a resource after success; usually empty.
	Note string
	// WaitsFor is the operation that one that was not attempted depends on; empty if it was not reached.
	WaitsFor string
}

// Result is the outcome of a plan.
type Result struct {
	// Outcomes are those of the plan's operations, in its order.
	Outcomes []Outcome
	// Calls is the number of requests, logins not counted.
	Calls int
	// RetryAfter is how long to wait before the next Run, if the backend asks for a longer wait than the options allow.
	RetryAfter time.Duration
	// Unfinished is true if Slice was over before everything was tried.
	Unfinished bool
}

// Count is the number of operations in a state.
func (r *Result) Count(s State) (n int) {
	for _, o := range r.Outcomes {
		if o.State == s {
			n++
		}
	}
	return n
}

// Complete reports whether everything was done.
func (r *Result) Complete() bool {
	return r.Count(StateFailed) == 0 && r.Count(StateNotAttempted) == 0
}

// Of are the outcomes of the operations of one Translation.
func (r *Result) Of(translation string) (of []Outcome) {
	for _, o := range r.Outcomes {
		if o.Operation.Translation == translation {
			of = append(of, o)
		}
	}
	return of
}

// Retryable reports whether another Run may get further without a user changing anything.
func (r *Result) Retryable() bool {
	return slices.ContainsFunc(r.Outcomes, func(o Outcome) bool {
		return o.Failure != nil && o.Failure.Retryable() || o.State == StateNotAttempted && o.WaitsFor == ""
	})
}

// Err counts the operations by state and names those that failed. It is nil when everything was done.
func (r *Result) Err() error {
	if r.Complete() {
		return nil
	}
	text := fmt.Sprintf("%d done, %d failed, %d not attempted", r.Count(StateDone)+r.Count(StateSkipped), r.Count(StateFailed),
		r.Count(StateNotAttempted))
	failed := 0
	for _, o := range r.Outcomes {
		f, op := o.Failure, o.Operation
		if f == nil {
			continue
		}
		switch failed++; {
		case failed == 1:
			text += fmt.Sprintf(": %s %s %s: %s: %s", op.Op, op.Kind, op.ID, f.Class, f.Message)
		case failed <= maxNamed:
			text += fmt.Sprintf("; also %s %s %s: %s", op.Op, op.Kind, op.ID, f.Class)
		}
	}
	if more := failed - maxNamed; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return errors.New(text)
}

// maxNamed bounds what an error names.
const maxNamed = 10
