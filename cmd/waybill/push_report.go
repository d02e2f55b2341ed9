package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
)

// pushReport is what became of a plan, as it is printed.
type pushReport struct {
	Backend string `json:"backend"`
	DryRun  bool   `json:"dryRun,omitempty"`
	// Operations are those of the plan, in its order, without what was sent.
	Operations []pushedRow                 `json:"operations"`
	Problems   []waybillapi.BackendProblem `json:"problems,omitempty"`
	// Requests is how many were sent, logins not counted.
	Requests int `json:"requests"`
	// Retryable says that the same command may lead further, though nobody changes anything.
	Retryable bool `json:"retryable,omitempty"`
	// RetryAfter is how long the backend wants to be left alone before.
	RetryAfter string `json:"retryAfter,omitempty"`

	result *apply.Result
}

// pushedRow is what became of one operation.
type pushedRow struct {
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
	// Note is what is not known about what was done.
	Note string `json:"note,omitempty"`
}

// planned is the state of what a dry run would do.
const planned = "planned"

func newPushReport(plan *waybillapi.BackendPlan, result *apply.Result, dryRun bool) *pushReport {
	r := &pushReport{Backend: plan.Spec.Backend, DryRun: dryRun, Operations: []pushedRow{}, Problems: plan.Spec.Problems, result: result}
	for _, o := range result.Outcomes {
		r.Operations = append(r.Operations, rowOfOutcome(o, dryRun))
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

func rowOfOutcome(o apply.Outcome, dryRun bool) pushedRow {
	op := o.Operation
	row := pushedRow{
		State: string(o.State), Op: op.Op, Kind: op.Kind, ID: op.ID, Parent: op.Parent, Translation: op.Translation,
		Index: op.Index, Reason: op.Reason, WaitsFor: o.WaitsFor, Note: o.Note,
	}
	if dryRun && o.State == apply.StateDone {
		row.State = planned
	}
	if f := o.Failure; f != nil {
		row.Class, row.Status, row.Message = string(f.Class), f.Status, f.Message
	}
	return row
}

// print prints a table only if there is something in it.
func (r *pushReport) print(w io.Writer, out *printer) error {
	if out.format == "table" && len(r.Operations) == 0 {
		return nil
	}
	var rows [][]string
	for _, o := range r.Operations {
		rows = append(rows, inertAll(o.State, o.Op, o.Kind, o.ID, o.Translation, orDash(o.says())))
	}
	return out.print(w, r, []string{"STATE", "OP", "KIND", "ID", "TRANSLATION", "MESSAGE"}, rows)
}

func (o *pushedRow) says() string {
	switch {
	case o.Class != "":
		return o.Class + ": " + o.Message
	case o.WaitsFor != "":
		return "waits for " + o.WaitsFor
	}
	return o.Note
}

// verdict tells what is wrong and how much was done. failed is why nothing more could be done.
func (r *pushReport) verdict(talk io.Writer, failed error, exitCode bool) error {
	problems := tellProblems(talk, r.Problems)
	if n := r.noted(); n > 0 {
		fmt.Fprintf(talk, "warning: %s taken over that may not be as it should: see MESSAGE\n", plural(n, "resource"))
	}
	fmt.Fprintln(talk, r.summary())
	switch err := r.result.Err(); {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("%w%s", err, r.advice())
	case problems != nil:
		return problems
	case exitCode && len(r.Operations) > 0:
		return &exitError{code: exitFailed}
	}
	return nil
}

// summary counts states: "3 done, 1 failed; 5 requests."
func (r *pushReport) summary() string {
	if len(r.Operations) == 0 {
		return "Nothing is to be done."
	}
	counts := map[string]int{}
	for _, o := range r.Operations {
		counts[o.State]++
	}
	var parts []string
	for _, state := range []string{planned, string(apply.StateDone), string(apply.StateSkipped), string(apply.StateFailed),
		string(apply.StateNotAttempted)} {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return fmt.Sprintf("%s; %s.", strings.Join(parts, ", "), plural(r.Requests, "request"))
}

// noted is how many resources were taken over without knowing all about them.
func (r *pushReport) noted() (n int) {
	for _, o := range r.Operations {
		if o.Note != "" {
			n++
		}
	}
	return n
}
