package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
)

// pushPlan holds the flags of one `waybill push plan`.
type pushPlan struct {
	in       pushInput
	exitCode bool
	out      printer
}

func newPushPlanCommand() *cobra.Command {
	var p pushPlan
	cmd := &cobra.Command{
		Use:   "plan [DIR]",
		Short: "Say what has to be done to a backend, without asking it",
		Long: `Plan reads the Translations of the package in DIR (default: the current directory, unless --filename
names something), and prints the operations that lead from what the inventory says to what they ask
for, in order. It reads files and nothing else, writes nothing, and the same files give the same
bytes. A Translation with a deletionTimestamp asks for nothing.

-o yaml and -o json print a BackendPlan, with bodies, which apply carries out with --plan as long as
the inventory is the one that it was made from.

What is wrong with a Translation is told on stderr; the exit code is 1 then. Such a Translation
keeps what it has, and what that needs, even where another Translation would delete it.

Exit codes: 0 done; 1 something is wrong; 2 wrong usage. With --exit-code: 0 nothing is to be done,
1 something is, 2 something is wrong.`,
		Example: `  # of a package
  waybill push plan net --backend midonet

  # of files, with a table and an inventory of your own; to be applied later
  waybill push plan -f translations --backend dns.yaml --inventory dns.inventory -o yaml >plan.yaml`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return troubleIsTwo(p.exitCode, p.run(cmd, args)) },
	}
	p.in.add(cmd)
	cmd.Flags().BoolVar(&p.exitCode, "exit-code", false, "tell by the exit code whether anything is to be done")
	p.out.add(cmd)
	return cmd
}

func (p *pushPlan) run(cmd *cobra.Command, args []string) error {
	if err := p.out.check(); err != nil {
		return err
	}
	plan, err := p.plan(cmd, args)
	if err != nil {
		return err
	}
	if err := printPlan(cmd.OutOrStdout(), &p.out, plan); err != nil {
		return err
	}
	return p.verdict(cmd.ErrOrStderr(), &plan.Spec)
}

func (p *pushPlan) plan(cmd *cobra.Command, args []string) (*waybillapi.BackendPlan, error) {
	table, err := untilEnd(cmd.Context(), p.in.table)
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
	inventory, err := lookUp(cmd.ErrOrStderr(), path, table.Name())
	if err != nil {
		return nil, err
	}
	return plan.New(desired, table, inventory)
}

// lookUp reads an inventory, and says when there is none: a mistake in its name would have everything
// created anew.
func lookUp(talk io.Writer, path, backendName string) (*inventory.Inventory, error) {
	if err := tellOfNone(talk, path, "nothing counts as applied"); err != nil {
		return nil, err
	}
	return inventory.ReadFile(path, backendName)
}

// tellOfNone says when there is no inventory.
func tellOfNone(talk io.Writer, path, so string) error {
	place, err := inventory.FilesAt(path)
	if err == nil && !place.Exists() {
		fmt.Fprintf(talk, "No inventory at %s yet: %s.\n", inert(path), so)
	}
	return err
}

// verdict tells what is wrong and how much there is to do.
func (p *pushPlan) verdict(talk io.Writer, plan *waybillapi.BackendPlanSpec) error {
	err := tellProblems(talk, plan.Problems)
	if len(plan.Operations) == 0 {
		fmt.Fprintln(talk, "Nothing is to be done.")
		return err
	}
	fmt.Fprintln(talk, countOperations(plan.Operations))
	if err == nil && p.exitCode {
		return &exitError{code: exitFailed}
	}
	return err
}
