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
	revisions        string
	where            cli.ClusterFlags
	openPorch        OpenPorch
}

// NewCommand returns `waybill reconcile`.
func NewCommand(openPorch OpenPorch) *cobra.Command {
	r := command{openPorch: openPorch}
	cmd := &cobra.Command{
		Use:   "reconcile -f PATH...",
		Short: "Draft in Git what PackageVariants want",
		Long: `Reconcile reads Repository, PackageVariant, PackageVariantSet and ChangeBudget objects from files.
A set makes a variant for each of its targets. For each variant, reconcile clones the upstream
package revision, fills in the package context, injects configuration, renders, and commits one
draft to the downstream repository: everything in one commit, or nothing. A second run changes
nothing. When a variant names a newer upstream revision and its draft is published, reconcile makes
the next draft.

Every other object in the files is a context object, for injection and for the selectors of sets in
its namespace. Secrets are not: only secretRef of a Repository names one, with its credentials. If
the files hold no such Secret, Git's credential helpers, .netrc and the SSH agent serve, as for
'waybill pkg get'. A relative path in spec.git.repo starts at the file with the Repository; what is
committed has it in full.

If a set no longer wants a variant, the deletion policy of the variant applies. If the file of a
variant or set is gone, reconcile changes nothing, as no object has a deletion policy; set
metadata.deletionTimestamp to apply the policy.

Reconcile never deletes a draft or proposal with commits by others. If a deletion policy would
delete it, the variant reports "kept" and changes nothing until the user publishes or deletes the
draft, or sets --delete-edited-drafts.

A warning names two Repositories that show the same revisions, such as a repository and a directory
of it, or a mirror. A variant retires only revisions that it made through its own Repository.

A ChangeBudget limits what one run may change. Above the limit, reconcile commits nothing for the
variants that the budget selects, except those with the annotation waybill.dev/exceed-budget, whose
text the commit records.

With --revisions porch it reads and writes package revisions through Porch's API server, in the
cluster of the kubeconfig, in place of Git. The Repositories are those of the cluster then; those in
the files serve only the selectors of sets.

With --watch it continues until it is interrupted: it reconciles again when a file changes and every
--interval, when it polls the repositories, and prints the changes.

Reconcile proposes and approves nothing; see 'waybill rpkg'. A failed variant leaves all branches
and tags unchanged, and does not stop the other variants.

Exit codes: 0 done; 1 a variant or set failed or is blocked, or a variant keeps a draft; 2 wrong
usage; 3 a change budget refused. With --exit-code: 0 nothing changed, 1 something changed, 2 a
variant or set failed or is blocked, or a variant keeps a draft, 3 a change budget refused.`,
		Example: `  # commit all drafts to Git
  waybill reconcile -f fleet

  # a preview, for a program
  waybill reconcile -f fleet --dry-run -o json

  # through a Porch
  waybill reconcile -f fleet --revisions porch --kubeconfig ~/.kube/config

  # follow files, upstreams and context until interrupted
  waybill reconcile -f fleet --watch`,
		RunE: func(cmd *cobra.Command, more []string) error { return cli.WithExitCode(r.exitCode, r.run(cmd, more)) },
	}
	cli.AddFiles(cmd, &r.files)
	r.functions.Add(cmd)
	r.out.Add(cmd)
	cli.AddRevisions(cmd, &r.revisions)
	r.where.Add(cmd)
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "do everything except writing to the repositories")
	cli.AddDeleteEdited(cmd, &r.deleteEdited)
	cmd.Flags().BoolVar(&r.exitCode, "exit-code", false, "exit with 1 if anything changed, and with 2 after a failure")
	cmd.Flags().BoolVar(&r.once, "once", true, "reconcile once and end")
	cmd.Flags().BoolVar(&r.watch, "watch", false, "reconcile again whenever something changes, until interrupted")
	cmd.Flags().DurationVar(&r.interval, "interval", 30*time.Second, "with --watch: how often to poll the repositories, at least 1s")
	return cmd
}
