package reconcile

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// run reconciles; more are further paths, as a shell expands "-f *.yaml".
func (r *command) run(cmd *cobra.Command, more []string) error {
	if len(r.files) == 0 {
		return cli.Usagef("name the files or folders with your objects by --filename")
	}
	r.files = append(r.files, more...)
	if err := r.check(cmd); err != nil {
		return err
	}
	functions, err := r.functions.NewFactory()
	if err != nil {
		return err
	}
	if r.watch {
		return r.runWatch(cmd, functions)
	}
	in, err := r.read(cmd)
	if err != nil {
		return err
	}
	out := r.runOnce(cmd, in, in.Repositories(nil), functions)
	if err := r.print(cmd.OutOrStdout(), out, true); err != nil {
		return err
	}
	r.printProblems(cmd.ErrOrStderr(), out)
	return r.exitError(out)
}

// check validates flags.
func (r *command) check(cmd *cobra.Command) error {
	if !r.watch {
		if !r.once {
			return cli.Usagef("--once=false: say --watch to go on until interrupted")
		}
		if cmd.Flags().Changed("interval") {
			return cli.Usagef("--interval is for --watch")
		}
		return r.out.Check()
	}
	if err := r.checkWatch(cmd.Flags().Changed("once") && r.once); err != nil {
		return err
	}
	return r.out.Check()
}

func (r *command) read(cmd *cobra.Command) (*local.Input, error) {
	in, err := cli.Await(cmd.Context(), func() (*local.Input, error) { return local.Read(r.files, cmd.InOrStdin()) })
	if err == nil && len(in.Variants)+len(in.Sets) == 0 {
		err = fmt.Errorf("there is no PackageVariant and no PackageVariantSet in what --filename names")
	}
	return in, err
}

// outcome is the result of one run.
type outcome struct {
	sets     []variantset.Report
	variants []reconciler.Report
	overlaps []snapshot.Overlap
	budgets  []budget.Note // of budgets that select no variant
}

// runOnce expands every set and reconciles every variant, and shows its progress on a terminal.
func (r *command) runOnce(cmd *cobra.Command, in *local.Input, repos *local.Repositories, functions runner.Factory) outcome {
	ctx := cmd.Context()
	out := outcome{sets: in.Expand(ctx, repos)}
	observe, done := newProgress(cmd.ErrOrStderr(), in.Variants)
	out.variants = r.reconciler(in, repos, functions).ReconcileAll(ctx, in.Variants, observe)
	done()
	out.overlaps, out.budgets = repos.Overlaps(), in.UnmatchedBudgets()
	for i := range out.variants {
		out.variants[i].DryRun = r.dryRun
	}
	return out
}

func (r *command) reconciler(in *local.Input, repos *local.Repositories, functions runner.Factory) *reconciler.Reconciler {
	return &reconciler.Reconciler{Repositories: repos, Functions: functions, Context: in.Lister, Budgets: in, DryRun: r.dryRun,
		Unexpanded: in.Unexpanded, DeleteEditedDrafts: r.deleteEdited}
}

// newProgress shows on a terminal which variant is being reconciled; done clears the line.
func newProgress(stderr io.Writer, pvs []*porchconfig.PackageVariant) (observe func(i int), done func()) {
	f := cli.Terminal(stderr)
	if f == nil {
		return nil, func() {}
	}
	show := func(line string) { fmt.Fprintf(f, "\r\x1b[K%s", line) }
	return func(i int) { show(fmt.Sprintf("[%d/%d] %s/%s", i+1, len(pvs), pvs[i].Namespace, pvs[i].Name)) }, func() { show("") }
}
