package reconcile

import (
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

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
	repos := in.Repositories(nil)
	out := outcome{sets: in.Expand(ctx, repos)}
	observe, done := newProgress(cmd.ErrOrStderr(), in.Variants)
	foresight, err = r.reconciler(in, repos, functions).Preview(ctx, in.Variants, observe)
	done()
	out.variants = foresight.Reports
	r.printProblems(cmd.ErrOrStderr(), out)
	return foresight, r.failure(out), err
}
