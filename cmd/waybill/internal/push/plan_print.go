package push

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// printPlan prints a plan; no table without rows.
func printPlan(w io.Writer, out *cli.Printer, plan *waybillapi.BackendPlan) error {
	if out.Format == "table" && len(plan.Spec.Operations) == 0 {
		return nil
	}
	var rows [][]string
	for _, op := range plan.Spec.Operations {
		rows = append(rows, cli.SafeCells(op.Op, op.Kind, op.ID, cli.OrDash(op.Parent), op.Translation, reasonOf(op)))
	}
	return out.Print(w, plan, []string{"OP", "KIND", "ID", "IN", "TRANSLATION", "REASON"}, rows)
}

// reasonOf is the reason of an operation, with its cause.
func reasonOf(op waybillapi.BackendOperation) string {
	switch {
	case len(op.Changed) > 0:
		return op.Reason + ": " + strings.Join(op.Changed, ", ")
	case op.Cause != "":
		return op.Reason + ": " + op.Cause
	}
	return op.Reason
}

// countOperations returns a text such as "2 to create, 1 to delete.".
func countOperations(ops []waybillapi.BackendOperation) string {
	counts := map[string]int{}
	for _, op := range ops {
		counts[op.Op]++
	}
	var parts []string
	for _, op := range []string{waybillapi.OpCreate, waybillapi.OpReplace, waybillapi.OpDelete, waybillapi.OpMove} {
		if n := counts[op]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", n, op))
		}
	}
	return strings.Join(parts, ", ") + "."
}

// printProblems prints problems with Translations, and returns an error if there are any.
func printProblems(stderr io.Writer, problems []waybillapi.BackendProblem) error {
	if len(problems) == 0 {
		return nil
	}
	for _, p := range problems {
		at := p.Translation
		if p.Index != nil {
			at += fmt.Sprintf(" resources[%d]", *p.Index)
		}
		fmt.Fprintf(stderr, "problem: %s\n", cli.SafeText(at+": "+p.Message))
	}
	return fmt.Errorf("%s with Translations, which keep what they have, with all that it needs; see above",
		cli.Plural(len(problems), "problem"))
}
