package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

// run reconciles; more are paths that follow the first, as a shell makes them of "-f *.yaml".
func (r *reconcile) run(cmd *cobra.Command, more []string) error {
	if len(r.files) == 0 {
		return usage("name the files or folders with your objects by --filename")
	}
	r.files = append(r.files, more...)
	if err := r.check(cmd); err != nil {
		return err
	}
	functions, err := r.functions.factory()
	if err != nil {
		return err
	}
	if r.watch {
		return r.runOften(cmd, functions)
	}
	in, err := r.read(cmd)
	if err != nil {
		return err
	}
	out := r.pass(cmd.Context(), cmd.ErrOrStderr(), in, in.Repositories(nil), functions)
	if err := r.print(cmd.OutOrStdout(), out, true); err != nil {
		return err
	}
	r.complain(cmd.ErrOrStderr(), out)
	return r.verdict(out)
}

// check refuses flags that make no sense.
func (r *reconcile) check(cmd *cobra.Command) error {
	if !r.watch {
		if !r.once {
			return usage("--once=false: say --watch to go on until interrupted")
		}
		if cmd.Flags().Changed("interval") {
			return usage("--interval is for --watch")
		}
		return r.out.check()
	}
	if err := r.checkWatch(cmd.Flags().Changed("once") && r.once); err != nil {
		return err
	}
	return r.out.check()
}

func (r *reconcile) read(cmd *cobra.Command) (*local.Input, error) {
	in, err := untilEnd(cmd.Context(), func() (*local.Input, error) { return local.Read(r.files, cmd.InOrStdin()) })
	if err == nil && len(in.Variants)+len(in.Sets) == 0 {
		err = fmt.Errorf("there is no PackageVariant and no PackageVariantSet in what --filename names")
	}
	return in, err
}

// passed is what came of one pass.
type passed struct {
	sets     []packagevariantset.Report
	variants []packagevariant.Report
	overlaps []packagevariant.Overlap
	budgets  []budget.Note // that select no variant
}

// pass expands every set and reconciles every variant, and shows on a terminal which one it is at.
func (r *reconcile) pass(ctx context.Context, talk io.Writer, in *local.Input, repos *local.Repositories, functions runner.Factory) passed {
	out := passed{sets: in.Expand(ctx, repos)}
	turn, done := progressOf(talk, in.Variants)
	out.variants = r.reconciler(in, repos, functions).ReconcileAll(ctx, in.Variants, turn)
	done()
	out.overlaps, out.budgets = repos.Overlaps(), in.UnmatchedBudgets(ctx)
	for i := range out.variants {
		out.variants[i].DryRun = r.dryRun
	}
	return out
}

func (r *reconcile) reconciler(in *local.Input, repos *local.Repositories, functions runner.Factory) *packagevariant.Reconciler {
	return &packagevariant.Reconciler{Repositories: repos, Functions: functions, Context: in.Lister, Budgets: in, DryRun: r.dryRun,
		Unexpanded: in.Unexpanded, DeleteEditedDrafts: r.deleteEdited}
}

// reconcileOptions say what to foresee, as the flags of the same names do.
type reconcileOptions struct {
	files     []string
	functions functionFlags
	exitCode  bool
}

// foreseeVariants returns what reconciling would commit and writes nothing. It prints on stderr what fails in some variants or
// sets; failed carries the exit code of that, err says why nothing could be foreseen.
func foreseeVariants(cmd *cobra.Command, o reconcileOptions) (foresight packagevariant.Foresight, failed, err error) {
	r := reconcile{files: o.files, functions: o.functions, dryRun: true, exitCode: o.exitCode}
	functions, err := r.functions.factory()
	if err != nil {
		return foresight, nil, err
	}
	in, err := r.read(cmd)
	if err != nil {
		return foresight, nil, err
	}
	ctx := cmd.Context()
	repos := in.Repositories(nil)
	out := passed{sets: in.Expand(ctx, repos)}
	observe, done := progressOf(cmd.ErrOrStderr(), in.Variants)
	foresight, err = r.reconciler(in, repos, functions).Foresee(ctx, in.Variants, observe)
	done()
	out.variants = foresight.Reports
	r.complain(cmd.ErrOrStderr(), out)
	return foresight, r.trouble(out), err
}

// progressOf shows on a terminal whose turn it is, until it is done.
func progressOf(talk io.Writer, pvs []*porchconfig.PackageVariant) (turn func(i int), done func()) {
	f, ok := talk.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	show := func(line string) { fmt.Fprintf(f, "\r\x1b[K%s", line) }
	return func(i int) { show(fmt.Sprintf("[%d/%d] %s/%s", i+1, len(pvs), pvs[i].Namespace, pvs[i].Name)) }, func() { show("") }
}
