package push

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	backendplan "github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/selection"
)

type planCommand struct {
	in       inputFlags
	exitCode bool
	out      cli.Printer
}

func newPlanCommand() *cobra.Command {
	var p planCommand
	cmd := &cobra.Command{
		Use:   "plan [DIR]",
		Short: "Show the operations that a backend needs, without contacting it",
		Long: `Plan reads the Translations of the package in DIR (default: the current directory, unless --filename
names files), and prints, in order, the operations that lead from the inventory to the Translations.
It reads only files, writes nothing, and the same files give the same bytes. A Translation with a
deletionTimestamp wants nothing.

-o yaml and -o json print a BackendPlan with bodies. 'apply --plan' executes it while the inventory
is the one that the plan was made from.

Problems with a Translation go to stderr and give exit code 1. Such a Translation keeps its
resources, and the resources that these need, even if another Translation would delete them.

Exit codes: 0 done; 1 a problem; 2 wrong usage. With --exit-code: 0 nothing to do, 1 something to
do, 2 a problem.`,
		Example: `  # for a package
  waybill push plan net --backend midonet

  # for files, with your own table and inventory; apply the plan later
  waybill push plan -f translations --backend dns.yaml --inventory dns.inventory -o yaml >plan.yaml`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(p.exitCode, p.run(cmd, args)) },
	}
	p.in.add(cmd)
	cmd.Flags().BoolVar(&p.exitCode, "exit-code", false, "exit with 1 if there is anything to do, and with 2 after a failure")
	p.out.Add(cmd)
	return cmd
}

func (p *planCommand) run(cmd *cobra.Command, args []string) error {
	plan, err := p.plan(cmd, args)
	if err != nil {
		return err
	}
	if err := printPlan(cmd.OutOrStdout(), &p.out, plan); err != nil {
		return err
	}
	return p.exitError(cmd.ErrOrStderr(), &plan.Spec)
}

func (p *planCommand) plan(cmd *cobra.Command, args []string) (*waybillapi.BackendPlan, error) {
	table, err := cli.Await(cmd.Context(), p.in.table)
	if err != nil {
		return nil, err
	}
	path, err := p.in.inventoryPath(args, table.Name())
	if err != nil {
		return nil, err
	}
	desired, err := p.in.desired(cmd, args)
	if err != nil {
		return nil, err
	}
	inventory, err := readInventory(cmd.ErrOrStderr(), path, table.Name())
	if err != nil {
		return nil, err
	}
	return backendplan.New(desired, table, inventory)
}

// readInventory reads an inventory. It prints a note if there is none: with a misspelled name, everything would be created
// again.
func readInventory(stderr io.Writer, path, backendName string) (*backendinventory.Inventory, error) {
	if err := printIfMissing(stderr, path, "nothing counts as applied"); err != nil {
		return nil, err
	}
	return backendinventory.ReadFile(path, backendName)
}

// printIfMissing prints a note if there is no inventory.
func printIfMissing(stderr io.Writer, path, so string) error {
	place, err := backendinventory.FilesAt(path)
	if err == nil && !place.Exists() {
		fmt.Fprintf(stderr, "No inventory at %s yet: %s.\n", cli.SafeText(path), so)
	}
	return err
}

func (p *planCommand) exitError(stderr io.Writer, plan *waybillapi.BackendPlanSpec) error {
	err := printProblems(stderr, plan.Problems)
	if len(plan.Operations) == 0 {
		fmt.Fprintln(stderr, "Nothing to do.")
		return err
	}
	fmt.Fprintln(stderr, countOperations(plan.Operations))
	if err == nil && p.exitCode {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return err
}

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
	return joinCounts(counts, "%d to %s", waybillapi.OpCreate, waybillapi.OpReplace, waybillapi.OpDelete, waybillapi.OpMove) + "."
}

// joinCounts lists the counts of keys that occur.
func joinCounts(counts map[string]int, format string, keys ...string) string {
	var parts []string
	for _, key := range keys {
		if n := counts[key]; n > 0 {
			parts = append(parts, fmt.Sprintf(format, n, key))
		}
	}
	return strings.Join(parts, ", ")
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
	return fmt.Errorf("%s with Translations, which keep their resources and all that these need; see above",
		selection.Count(len(problems), "problem"))
}
