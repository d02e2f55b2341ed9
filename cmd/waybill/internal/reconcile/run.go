package reconcile

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
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
	repos, err := r.repositories(cmd, in, nil)
	if err != nil {
		return err
	}
	out := r.runOnce(cmd, in, repos, functions)
	if err := r.print(cmd.OutOrStdout(), out, true); err != nil {
		return err
	}
	r.printProblems(cmd.ErrOrStderr(), out)
	return r.exitError(out)
}

func (r *command) check(cmd *cobra.Command) error {
	switch {
	case r.revisions != cli.RevisionsInPorch && r.where.Given():
		return cli.Usagef("--kubeconfig and --context are for --revisions porch")
	case r.watch:
		return r.checkWatch(cmd.Flags().Changed("once") && r.once)
	case !r.once:
		return cli.Usagef("--once=false: use --watch to continue until interrupted")
	case cmd.Flags().Changed("interval"):
		return cli.Usagef("--interval is for --watch")
	}
	return nil
}

func (r *command) read(cmd *cobra.Command) (*local.Input, error) {
	in, err := cli.Await(cmd.Context(), func() (*local.Input, error) { return local.Read(r.files, cmd.InOrStdin()) })
	var some *manifests.UnreadableError
	if errors.As(err, &some) { // each is in the report
		err = nil
	}
	if err == nil && len(in.Variants)+len(in.Sets) == 0 {
		err = fmt.Errorf("--filename names no PackageVariant and no PackageVariantSet")
	}
	return in, err
}

type outcome struct {
	sets     []variantset.Report
	variants []reconciler.Report
	overlaps []snapshot.Overlap
	budgets  []budget.Note // of budgets that select no variant
	warnings []string      // of files
}

// runOnce expands every set and reconciles every variant, and shows its progress on a terminal.
func (r *command) runOnce(cmd *cobra.Command, in *local.Input, repos Repositories, functions runner.Factory) outcome {
	ctx := cmd.Context()
	out := outcome{sets: in.Expand(ctx, repos), warnings: in.Warnings}
	observe, done := newProgress(cmd.ErrOrStderr(), in.Variants)
	out.variants = r.reconciler(in, repos, functions).ReconcileAll(ctx, in.Variants, observe)
	done()
	out.overlaps, out.budgets = repos.Overlaps(), in.UnmatchedBudgets()
	for i := range out.variants {
		out.variants[i].DryRun = r.dryRun
	}
	return out
}

func (r *command) reconciler(in *local.Input, repos Repositories, functions runner.Factory) *reconciler.Reconciler {
	return &reconciler.Reconciler{Repositories: repos, Functions: functions, Context: in.Lister, Budgets: in, DryRun: r.dryRun,
		Unexpanded: in.Unexpanded, Unreadable: in.Unreadable, DeleteEditedDrafts: r.deleteEdited,
		OwnerReferences: r.revisions == cli.RevisionsInPorch}
}

// newProgress shows which variant is being reconciled; done erases that.
func newProgress(stderr io.Writer, pvs []*porchconfig.PackageVariant) (observe func(i int), done func()) {
	p := cli.NewProgress(stderr)
	return func(i int) {
		p.Show(fmt.Sprintf("[%d/%d] %s/%s", i+1, len(pvs), pvs[i].Namespace, pvs[i].Name))
	}, p.Done
}

// ForeseeOptions are the values of the flags of the same names.
type ForeseeOptions struct {
	Files     []string
	Functions cli.FunctionFlags
	ExitCode  bool
}

// Foresee returns what reconciling would commit, and writes nothing. It prints failures of single variants and sets, and
// returns their exit code as failed.
func Foresee(cmd *cobra.Command, o ForeseeOptions) (foresight reconciler.Preview, failed, err error) {
	r := command{files: o.Files, functions: o.Functions, dryRun: true, exitCode: o.ExitCode}
	functions, err := r.functions.NewFactory()
	if err != nil {
		return foresight, nil, err
	}
	in, err := r.read(cmd)
	if err != nil {
		return foresight, nil, err
	}
	ctx := cmd.Context()
	repos := ofFiles(cmd, in)
	out := outcome{sets: in.Expand(ctx, repos), warnings: in.Warnings}
	observe, done := newProgress(cmd.ErrOrStderr(), in.Variants)
	foresight, err = r.reconciler(in, repos, functions).Preview(ctx, in.Variants, observe)
	done()
	out.variants = foresight.Reports
	r.printProblems(cmd.ErrOrStderr(), out)
	return foresight, r.failure(out), err
}
