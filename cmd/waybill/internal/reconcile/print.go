package reconcile

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// setRow is a set in the output. Sets have no variants in files, so each run makes them again and lists all of them.
type setRow struct {
	Kind       string             `json:"kind"`
	Namespace  string             `json:"namespace,omitempty"`
	Name       string             `json:"name"`
	Action     reconciler.Action  `json:"action"`
	Variants   []string           `json:"variants,omitempty"`
	Deleted    []string           `json:"deleted,omitempty"`
	Message    string             `json:"message,omitempty"`
	Conditions []metav1.Condition `json:"conditions"`
}

func newSetRow(rep variantset.Report) setRow {
	row := setRow{
		Kind: v1alpha2.KindPackageVariantSet, Namespace: rep.Namespace, Name: rep.Name, Action: reconciler.Unchanged,
		Variants: slices.Sorted(slices.Values(slices.Concat(rep.Created, rep.Updated))), Deleted: rep.Deleted, Conditions: rep.Conditions,
	}
	row.Message = selection.Count(len(row.Variants), "variant")
	if n := len(rep.Deleted); n > 0 {
		row.Message += fmt.Sprintf("; %s no longer wanted", selection.Count(n, "variant"))
	}
	if rep.Err != nil {
		row.Action, row.Message = reconciler.Failed, cli.OneLine(rep.Err)
	}
	return row
}

// print prints sets and then variants, with or without the table's header.
func (r *command) print(w io.Writer, out outcome, header bool) error {
	var rows [][]string
	data := make([]any, 0, len(out.sets)+len(out.variants))
	for _, rep := range out.sets {
		row := newSetRow(rep)
		data = append(data, row)
		message := row.Message
		if rep.Err != nil {
			message = "see below"
		}
		rows = append(rows, []string{"set " + cli.Qualified(rep.Namespace, rep.Name), string(row.Action), "-", "-", "-", message})
	}
	for _, rep := range out.variants {
		data = append(data, rep)
		rows = append(rows, r.variantRow(rep))
	}
	head := []string{"VARIANT", "ACTION", "DRAFT", "UPSTREAM", "FILES", "MESSAGE"}
	if !header {
		head = nil
	}
	return r.out.Print(w, cli.NewList("ReconcileReport", data), head, rows)
}

func (r *command) variantRow(rep reconciler.Report) []string {
	action, files, message := string(rep.Action), "-", rep.Message
	if r.dryRun && changed(rep) {
		action = "would be " + action
	}
	if len(rep.Files) > 0 {
		files = strconv.Itoa(len(rep.Files))
	}
	if rep.Err != nil {
		message = "see below"
	}
	return []string{cli.Qualified(rep.Namespace, rep.Name), action, cli.OrDash(rep.Draft), cli.OrDash(rep.Upstream), files, message}
}

// printProblems prints warnings and errors on stderr, one line each.
func (r *command) printProblems(stderr io.Writer, out outcome) {
	for _, text := range out.warnings {
		fmt.Fprintf(stderr, "warning: %s\n", cli.SafeText(text))
	}
	for _, o := range out.overlaps {
		fmt.Fprintf(stderr, "warning: %s\n", o)
	}
	for _, b := range out.budgets {
		fmt.Fprintf(stderr, "warning: change budget %s: %s\n", cli.Qualified(b.Namespace, b.Name), b.Text)
	}
	for _, rep := range out.sets {
		if rep.Err != nil {
			fmt.Fprintf(stderr, "error: set %s: %s\n", cli.Qualified(rep.Namespace, rep.Name), cli.OneLine(rep.Err))
		}
		for _, text := range rep.Unmatched {
			fmt.Fprintf(stderr, "warning: set %s: %s\n", cli.Qualified(rep.Namespace, rep.Name), text)
		}
	}
	for _, rep := range out.variants {
		if rep.Err != nil {
			fmt.Fprintf(stderr, "error: %s: %s\n", cli.Qualified(rep.Namespace, rep.Name), cli.OneLine(rep.Err))
		}
	}
}

// exitError returns the exit code.
func (r *command) exitError(out outcome) error {
	if err := r.failure(out); err != nil {
		return err
	}
	if r.exitCode && slices.ContainsFunc(out.variants, changed) {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

// failure returns the exit code of failures. A refusal by a budget comes first: a user has to decide.
func (r *command) failure(out outcome) error {
	failed := slices.ContainsFunc(out.sets, func(rep variantset.Report) bool { return rep.Err != nil }) ||
		slices.ContainsFunc(out.variants, func(rep reconciler.Report) bool { return rep.Err != nil })
	refused := slices.ContainsFunc(out.variants, func(rep reconciler.Report) bool { return rep.Action == reconciler.Refused })
	switch {
	case refused:
		return &cli.ExitError{Code: cli.ExitRefused}
	case failed && r.exitCode:
		return &cli.ExitError{Code: cli.ExitUsage}
	case failed:
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

// changed reports whether a variant has, or would have, another draft.
func changed(rep reconciler.Report) bool {
	return rep.Action == reconciler.Created || rep.Action == reconciler.Updated
}
