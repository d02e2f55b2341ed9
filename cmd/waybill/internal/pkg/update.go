package pkg

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// updateCommand holds the flags of one `waybill pkg update`.
type updateCommand struct {
	strategy, onConflict, base   string
	allowDirty, dryRun, exitCode bool
	functions                    cli.FunctionFlags
	functionFlagNames            []string // flags that only --base rendered uses
	hidden                       []string // files of the package that Git ignores or skips
	out                          cli.Printer
}

func newUpdateCommand() *cobra.Command {
	var u updateCommand
	cmd := &cobra.Command{
		Use:   "update [DIR][@REF]",
		Short: "Bring a package to what its upstream has now, and keep what was changed here",
		Long: `Update merges three ways: what upstream had when the package in DIR (default: the current
directory) was fetched, what it has at REF, and what is here. REF is a tag, branch or commit
(default: what the Kptfile says) and is written into the Kptfile, as is --strategy. Subpackages
with an upstream of their own are then brought to that; those of the same repository and ref as DIR
follow it to REF.

Where both sides changed something, upstream has its way, as in kpt: with --on-conflict local what
was changed here stays, and with fail nothing is written. Each such place is reported, with the
values of both sides. With --base rendered what the package's functions changed does not
count as a change, so only edits of people conflict; for that functions run, with the flags that
"fn render" has for them.

Objects that functions generated stay as they are here, with every strategy: they say what the
clusters of this package hold. Render the result to make them anew.

DIR must hold nothing that Git knows as uncommitted, so that what an update does can be undone; nor
does an update change or delete files that Git ignores or was told to skip. See --allow-dirty for
both. Nothing is rendered here afterwards. All is written or nothing: an update that was
killed is finished by the next one, or by whatever command of ours writes to DIR.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage. With --exit-code: 0 nothing
changed, 1 something changed, 2 it failed. With --dry-run the same of what would change.`,
		Example: `  # to what the recorded branch has now
  waybill pkg update edge

  # to another version; stop where both sides changed something
  waybill pkg update edge@v2 --on-conflict fail

  # what would be done, for a program
  waybill pkg update edge@v2 --dry-run -o json`,
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer func() { u.functions.CacheFlags.Warn(cmd.ErrOrStderr()) }()
			return cli.WithExitCode(u.exitCode, u.run(cmd, args))
		},
	}
	u.addFunctions(cmd)
	flags := cmd.Flags()
	addStrategy(cmd, &u.strategy, "", "how to update, now and from now on; if this is not set, as the Kptfile says")
	addOnConflict(cmd, &u.onConflict)
	flags.StringVar(&u.base, "base", "upstream", "what to compare with: upstream, or rendered, "+
		"which is upstream with this package's functions run on it")
	flags.BoolVar(&u.allowDirty, "allow-dirty", false, "update over changes that are not committed, and over files that Git ignores or skips")
	flags.BoolVar(&u.dryRun, "dry-run", false, "do everything but write")
	flags.BoolVar(&u.exitCode, "exit-code", false, "tell by the exit code whether anything changed")
	u.out.Add(cmd)
	return cmd
}

// addFunctions adds the flags of functions, and records their names.
func (u *updateCommand) addFunctions(cmd *cobra.Command) {
	u.functions.Add(cmd)
	cmd.PostRun = nil // the update warns of both caches itself
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "no-cache" {
			f.Usage = fetchAgain + ", and " + f.Usage
			return
		}
		u.functionFlagNames = append(u.functionFlagNames, f.Name)
	})
}

// check validates flags.
func (u *updateCommand) check(cmd *cobra.Command) error {
	if u.base != "upstream" && u.base != "rendered" {
		return cli.Usagef("--base %q: want upstream or rendered", u.base)
	}
	var needless error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if u.base != "rendered" && slices.Contains(u.functionFlagNames, f.Name) {
			needless = cli.Usagef("--%s is about functions, which run only with --base rendered", f.Name)
		}
	})
	for _, err := range []error{needless, u.out.Check(), checkStrategy(u.strategy), checkOnConflict(u.onConflict)} {
		if err != nil {
			return err
		}
	}
	return nil
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
	if err := u.finish(progress, dir); err != nil {
		return err
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
	return u.exitError(progress, r, did)
}

// exitError prints how the update ended, and returns the exit code.
func (u *updateCommand) exitError(progress *fetchProgress, r *UpdateReport, did *upstream.UpdateResult) error {
	progress.leftOut(did.LeftOut)
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
		progress.printf("%d conflict(s); see above who had their way in each.", conflicts)
	}
	if u.base == "rendered" && !u.dryRun {
		progress.printf("What functions make of it is not in it yet: render it next.")
	}
	if u.exitCode && len(r.Files) > 0 {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
