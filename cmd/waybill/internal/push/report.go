package push

import (
	"fmt"
	"io"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Report is the output of apply.
type Report struct {
	metav1.TypeMeta `json:",inline"`
	Backend         string `json:"backend"`
	DryRun          bool   `json:"dryRun,omitempty"`
	// Operations are those of the plan, in its order, without bodies.
	Operations []Row                       `json:"operations"`
	Problems   []waybillapi.BackendProblem `json:"problems,omitempty"`
	// Requests is how many were sent, logins not counted.
	Requests int `json:"requests"`
	// Retryable means that the same command may get further although nothing else changes.
	Retryable bool `json:"retryable,omitempty"`
	// RetryAfter is how long the backend asks to wait.
	RetryAfter string `json:"retryAfter,omitempty"`

	result *apply.Result
}

// Row is the result of one operation.
type Row struct {
	State       string `json:"state"`
	Op          string `json:"op"`
	Kind        string `json:"kind"`
	ID          string `json:"id"`
	Parent      string `json:"parent,omitempty"`
	Translation string `json:"translation"`
	Index       int32  `json:"index,omitempty"`
	Reason      string `json:"reason"`
	Class       string `json:"class,omitempty"`
	Status      int    `json:"status,omitempty"`
	Message     string `json:"message,omitempty"`
	WaitsFor    string `json:"waitsFor,omitempty"`
	// Note says what is not known about the result.
	Note string `json:"note,omitempty"`
}

// Planned is the state of an operation in a dry run.
const Planned = "planned"

func newReport(plan *waybillapi.BackendPlan, result *apply.Result, dryRun bool) *Report {
	r := &Report{
		TypeMeta: cli.TypeMeta("PushReport"), Backend: plan.Spec.Backend, DryRun: dryRun, Operations: []Row{},
		Problems: plan.Spec.Problems, result: result,
	}
	for _, o := range result.Outcomes {
		r.Operations = append(r.Operations, newRow(o, dryRun))
	}
	if dryRun {
		return r
	}
	r.Requests, r.Retryable = result.Calls, result.Retryable()
	if result.RetryAfter > 0 {
		r.RetryAfter = result.RetryAfter.Round(time.Second).String()
	}
	return r
}

func newRow(o apply.Outcome, dryRun bool) Row {
	op := o.Operation
	row := Row{
		State: string(o.State), Op: op.Op, Kind: op.Kind, ID: op.ID, Parent: op.Parent, Translation: op.Translation,
		Index: op.Index, Reason: op.Reason, WaitsFor: o.WaitsFor, Note: o.Note,
	}
	if dryRun && o.State == apply.StateDone {
		row.State = Planned
	}
	if f := o.Failure; f != nil {
		row.Class, row.Status, row.Message = string(f.Class), f.Status, f.Message
	}
	return row
}

// print prints no table without rows.
func (r *Report) print(w io.Writer, out *cli.Printer) error {
	if out.Format == "table" && len(r.Operations) == 0 {
		return nil
	}
	rows := cli.Rows(r.Operations, func(o Row) []string {
		return cli.SafeCells(o.State, o.Op, o.Kind, o.ID, o.Translation, cli.OrDash(o.message()))
	})
	return out.Print(w, r, []string{"STATE", "OP", "KIND", "ID", "TRANSLATION", "MESSAGE"}, rows)
}

func (o *Row) message() string {
	switch {
	case o.Class != "":
		return o.Class + ": " + o.Message
	case o.WaitsFor != "":
		return "waits for " + o.WaitsFor
	}
	return o.Note
}

// exitError prints problems and a summary, and returns the exit code. failed is why the run stopped.
func (r *Report) exitError(stderr io.Writer, failed error, exitCode bool) error {
	problems := printProblems(stderr, r.Problems)
	if n := len(slices.DeleteFunc(slices.Clone(r.Operations), func(o Row) bool { return o.Note == "" })); n > 0 {
		fmt.Fprintf(stderr, "warning: %s taken over without a full check: see MESSAGE\n", selection.Count(n, "resource"))
	}
	fmt.Fprintln(stderr, r.summary())
	switch err := r.result.Err(); {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("%w%s", err, r.advice())
	case problems != nil:
		return problems
	case exitCode && len(r.Operations) > 0:
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

// summary counts states: "3 done, 1 failed; 5 requests."
func (r *Report) summary() string {
	if len(r.Operations) == 0 {
		return "Nothing to do."
	}
	counts := map[string]int{}
	for _, o := range r.Operations {
		counts[o.State]++
	}
	states := joinCounts(counts, "%d %s", Planned, string(apply.StateDone), string(apply.StateSkipped), string(apply.StateFailed),
		string(apply.StateNotAttempted))
	return fmt.Sprintf("%s; %s.", states, selection.Count(r.Requests, "request"))
}

// advice says whether and when the user should try again.
func (r *Report) advice() string {
	switch {
	case !r.Retryable:
		return ""
	case r.RetryAfter != "":
		return "; retry the command in " + r.RetryAfter
	case r.onlyBlocked():
		return "; retry the command when the blocking resources are gone: in this inventory only resources that name the blocked one " +
			"can block it, if the table does not say so"
	case r.onlyLacking():
		return "; retry the command when the named resources exist and nothing blocks"
	}
	return "; retry the command"
}

// onlyBlocked reports whether all that may be tried again are deletions of resources in use.
func (r *Report) onlyBlocked() bool {
	return r.only(func(o apply.Outcome, f *httpclient.Failure) bool {
		return f != nil && f.Class == httpclient.ClassConflict && o.Operation.Op == waybillapi.OpDelete
	})
}

// onlyLacking reports whether all that may be tried again waits for others to create or delete something.
func (r *Report) onlyLacking() bool {
	return r.only(func(_ apply.Outcome, f *httpclient.Failure) bool {
		return f != nil && (f.Missing || f.Class == httpclient.ClassConflict)
	})
}

// only reports whether some operation waits, and all that may be tried again do.
func (r *Report) only(waits func(apply.Outcome, *httpclient.Failure) bool) (any bool) {
	if r.result == nil {
		return false
	}
	for _, o := range r.result.Outcomes {
		switch f := o.Failure; {
		case waits(o, f):
			any = true
		case f != nil && (f.Class == httpclient.ClassConflict || f.Class == httpclient.ClassRetry),
			f == nil && o.State == apply.StateNotAttempted && o.WaitsFor == "":
			return false
		}
	}
	return any
}
