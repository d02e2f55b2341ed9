package pkg

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type updateCommand struct {
	strategy, onConflict, base   string
	allowDirty, dryRun, exitCode bool
	noCharts                     bool
	locked                       []lock.Row // charts that the update brought
	functions                    cli.FunctionFlags
	registry                     RegistryFlags
	functionFlagNames            []string // flags that only --base rendered uses
	hidden                       []string // files of the package that Git ignores or skips
	out                          cli.Printer
}

func newUpdateCommand() *cobra.Command {
	var u updateCommand
	cmd := &cobra.Command{
		Use:   "update [DIR][@REF]",
		Short: "Update a package from its upstream, and keep local changes",
		Long: `Update merges three versions of a package: upstream when the package in DIR (default: the current
directory) was fetched, upstream at REF, and the local package. REF is a tag, branch or commit, or
the tag or digest of an artifact (default: the ref in the Kptfile). Update stores REF and --strategy
in the Kptfile. Then it updates each subpackage that has an upstream of its own; a subpackage of the
same repository and ref as DIR follows to REF.

Where both sides changed something, the change of upstream wins, as in kpt. With --on-conflict local
the local change stays, and with fail nothing is written. Update reports each conflict with both
values. With --base rendered, changes that the functions of the package made do not count, so only
manual edits conflict; functions then run with the flags of "fn render".

With every strategy, local objects that functions generated stay: they show what the clusters of
this package hold. Render the result to update them.

Helm charts that the update brings are fetched and locked, as "helm lock" does, except with
--no-charts. With --base rendered, local edits of objects that a chart rendered merge with what the
new version of the chart renders.

DIR must hold no uncommitted changes, so that you can undo an update, and update does not change or
delete files that Git ignores or skips. --allow-dirty permits both. Update does not render the
result. It writes everything or nothing: the next command that writes to DIR finishes an update that
was killed.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage. With --exit-code: 0 nothing
changed, 1 something changed, 2 failed. With --dry-run, the same for what would change.`,
		Example: `  # to the current state of the recorded branch
  waybill pkg update edge

  # to another version; stop at conflicts
  waybill pkg update edge@v2 --on-conflict fail

  # a preview, for a program
  waybill pkg update edge@v2 --dry-run -o json`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: completeTarget,
		RunE:              func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(u.exitCode, u.run(cmd, args)) },
	}
	u.addFunctions(cmd)
	flags := cmd.Flags()
	AddStrategy(cmd, &u.strategy, "", "how to update, now and later (default: the strategy in the Kptfile)")
	addOnConflict(cmd, &u.onConflict)
	cli.AddChoice(cmd, &u.base, "base", "", "upstream",
		"what to compare with: %s; rendered is upstream after the functions of this package ran", "upstream", "rendered")
	flags.BoolVar(&u.allowDirty, "allow-dirty", false, "overwrite uncommitted changes, and files that Git ignores or skips")
	flags.BoolVar(&u.noCharts, "no-charts", false, "fetch no Helm charts; render or lock the package later")
	flags.BoolVar(&u.dryRun, "dry-run", false, "do everything except writing")
	flags.BoolVar(&u.exitCode, "exit-code", false, "exit with 1 if anything changed, and with 2 after a failure")
	u.registry.Add(cmd)
	u.registry.AddVerify(cmd)
	u.out.Add(cmd)
	return cmd
}

// addFunctions adds the flags of functions, and records their names.
func (u *updateCommand) addFunctions(cmd *cobra.Command) {
	u.functions.Add(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "no-cache" {
			f.Usage = fetchAgain + ", and " + f.Usage
			return
		}
		u.functionFlagNames = append(u.functionFlagNames, f.Name)
	})
}

func (u *updateCommand) check(cmd *cobra.Command) error {
	var needless error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if u.base != "rendered" && slices.Contains(u.functionFlagNames, f.Name) {
			needless = cli.Usagef("--%s is for functions, which run only with --base rendered", f.Name)
		}
	})
	return cmp.Or(needless, CheckStrategy(u.strategy))
}

func (u *updateCommand) run(cmd *cobra.Command, args []string) error {
	if err := u.check(cmd); err != nil {
		return err
	}
	dir, ref, name, err := targetOf(args)
	if err != nil {
		return err
	}
	render, err := u.renderer(name)
	if err != nil {
		return err
	}
	ctx, progress := cmd.Context(), &fetchProgress{out: cmd.ErrOrStderr(), root: name, prefix: "upstream from "}
	if !u.dryRun { // a dry run reads the package as if the write were complete
		if err := cli.FinishWrites(progress.out, dir); err != nil {
			return err
		}
	}
	if err := u.guard(ctx, progress, dir); err != nil {
		return err
	}
	before, did, err := u.update(ctx, progress, dir, upstream.UpdateOptions{
		Ref: ref, Strategy: merge.Strategy(u.strategy), Prefer: merge.Prefer(u.onConflict), Render: render, Observe: progress.observe,
	})
	if err != nil {
		return fmt.Errorf("update package %q: %w", name, err)
	}
	r := u.report(name, before, did)
	if err := r.print(cmd.OutOrStdout(), &u.out); err != nil {
		return err
	}
	return u.exitError(progress, before, r, did)
}

func (u *updateCommand) exitError(progress *fetchProgress, before pkgtree.Tree, r *UpdateReport, did *upstream.UpdateResult) error {
	progress.leftOut(did.LeftOut)
	u.sayCharts(progress, before, did.Tree)
	conflicts := len(did.Conflicts)
	switch {
	case u.stopped(did):
		return fmt.Errorf("update package %q: %s", r.Package, conflictsMessage(conflicts))
	case u.dryRun:
		progress.printf("Would update %d package(s); nothing was written.", len(did.Packages))
	default:
		progress.printf("Updated %d package(s).", len(did.Packages))
	}
	if conflicts > 0 {
		progress.printf("%d conflict(s); see above which side won.", conflicts)
	}
	if u.base == "rendered" && !u.dryRun {
		progress.printf("The result is not rendered yet: render it next.")
	}
	if u.exitCode && len(r.Files) > 0 {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
