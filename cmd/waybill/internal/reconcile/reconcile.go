// Package reconcile has the command `waybill reconcile`, which runs the reconcilers of the controllers over files.
package reconcile

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

type command struct {
	files            []string
	functions        cli.FunctionFlags
	out              cli.Printer
	dryRun, exitCode bool
	deleteEdited     bool
	once, watch      bool
	interval         time.Duration
}

// NewCommand returns `waybill reconcile`.
func NewCommand() *cobra.Command {
	var r command
	cmd := &cobra.Command{
		Use:   "reconcile -f PATH...",
		Short: "Draft in Git what PackageVariants want",
		Long: `Reconcile reads Repository, PackageVariant, PackageVariantSet and ChangeBudget objects from files.
A set makes variants of its targets; for each variant reconcile clones
the upstream package revision, fills in the package context, injects configuration, renders, and
commits one draft to the downstream repository: all of it in one commit, or nothing. Done again, it
changes nothing. When a variant names a newer upstream revision and its draft was published, it
makes the next draft.

Every other object in the files is a context object: what injection copies from, and sets select, in
their own namespace. Secrets are neither; a Repository's secretRef names the one that holds its
credentials. A relative path in spec.git.repo counts from the file that it stands in.

A variant that its set no longer wants is done away with by its deletion policy. A variant or set
whose file is gone is left alone: no object says what is to become of it; give it a
metadata.deletionTimestamp to have its deletion policy carried out.

A draft or proposal that holds commits by others is never deleted: where a deletion policy would
delete it, the variant says "kept" and changes nothing until the user publishes or deletes the
draft, or --delete-edited-drafts is given.

A warning names two Repositories that show the same revisions, such as a repository and a directory
of it, or a mirror. A variant retires only what it made through the Repository that it names.

A ChangeBudget bounds what one pass may change. Above it nothing is committed for the variants that
it selects, but for those with the annotation waybill.dev/exceed-budget, whose text the commit
records.

With --watch it goes on until it is interrupted: it reconciles again when a file changes and every
--interval, which is when it looks at the repositories, and prints what changed.

Nothing is proposed or approved; see 'waybill rpkg'. A variant that fails leaves every branch and
tag as it was, and does not keep others from being reconciled.

Exit codes: 0 done; 1 a variant or set failed or is blocked, or a variant keeps a draft; 2 wrong
usage; 3 a change budget refused. With --exit-code: 0 nothing changed, 1 something changed, 2 a
variant or set failed or is blocked, or a variant keeps a draft, 3 a change budget refused.`,
		Example: `  # what is wanted, into Git
  waybill reconcile -f fleet

  # what would be done, for a program
  waybill reconcile -f fleet --dry-run -o json

  # keep up with files, upstreams and context until interrupted
  waybill reconcile -f fleet --watch`,
		RunE: func(cmd *cobra.Command, more []string) error { return cli.WithExitCode(r.exitCode, r.run(cmd, more)) },
	}
	cli.AddFiles(cmd, &r.files)
	r.functions.Add(cmd)
	r.out.Add(cmd)
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "do everything but write to the repositories")
	cli.AddDeleteEdited(cmd, &r.deleteEdited)
	cmd.Flags().BoolVar(&r.exitCode, "exit-code", false, "tell by the exit code whether anything changed")
	cmd.Flags().BoolVar(&r.once, "once", true, "reconcile once and end")
	cmd.Flags().BoolVar(&r.watch, "watch", false, "reconcile again whenever something changes, until interrupted")
	cmd.Flags().DurationVar(&r.interval, "interval", 30*time.Second, "with --watch: how often to look at the repositories, at least 1s")
	return cmd
}
