package rpkg

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newProposeCommand() *cobra.Command {
	var broken renderGuard
	return newLifecycleCommand(lifecycleCommand{
		flags: broken.add, check: broken.check,
		verb: "propose", short: "Propose drafts for approval",
		step: sameStep(revision.OpPropose, "proposed"), from: []porch.Lifecycle{porch.Draft},
		long: `Propose moves the branches of drafts. A proposal can be approved or rejected, and no longer edited.
A draft that does not render, and was kept because of the annotation
porch.kpt.dev/push-on-render-failure, is refused unless --force is given.`,
	})
}

func newRejectCommand() *cobra.Command {
	return newLifecycleCommand(lifecycleCommand{
		verb: "reject", short: "Make proposals drafts again, or cancel proposals to delete",
		long: `Reject moves the branches of proposals back: users can edit the drafts and propose them again. For a
revision proposed for deletion it cancels that proposal: the revision stays published.`,
		from: []porch.Lifecycle{porch.Proposed, porch.DeletionProposed},
		step: func(r revision.Known) step {
			if r.Lifecycle == porch.DeletionProposed {
				return step{revision.OpUndoDeletion, "no longer proposed for deletion"}
			}
			return step{revision.OpReject, "rejected"}
		},
	})
}

func newApproveCommand() *cobra.Command {
	var guard mainGuard
	var broken renderGuard
	return newLifecycleCommand(lifecycleCommand{
		verb: "approve", commits: true, short: "Publish proposals: merge them into the main branch and tag them",
		step: sameStep(revision.OpApprove, "approved"),
		long: `Approve merges each proposal into the main branch and tags it with the next revision number. The
merge has the current time, or the time in SOURCE_DATE_EPOCH, in seconds. Its author is the one who
published the revision. Approve refuses a package in the folder of another package, or around one.

The proposal replaces the package on the main branch. Approve refuses if that would undo changes
that others made there since the revision that the draft continues, or since the draft began, and
that the draft does not have: it names these files and their commits. --overwrite-main allows it;
the changes then stay in the history of the main branch. Nothing of a file is undone if the draft
has every line that main added and no line that main removed. If you merge the main branch into the
draft, the merged changes count as seen. A change of file mode also counts. A draft of a new package
replaces its folder on main: approve names every file of that folder that the draft does not have.

A package that does not render, and was kept because of the annotation
porch.kpt.dev/push-on-render-failure, is refused unless --force is given.`,
		from: []porch.Lifecycle{porch.Proposed}, onLoss: guard.onLoss, check: broken.check,
		flags: func(flags *pflag.FlagSet) {
			guard.add(flags)
			broken.add(flags)
		},
	})
}

// mainGuard protects what others changed on the main branch.
type mainGuard struct{ overwrite bool }

func (g *mainGuard) add(flags *pflag.FlagSet) {
	flags.BoolVar(&g.overwrite, "overwrite-main", false, "approve even if that undoes changes of others on the main branch")
}

// onLoss prints what an approval of r undoes, and refuses the approval unless the user allows that. It prints the same
// losses only once when the approval is retried.
func (g *mainGuard) onLoss(stderr io.Writer, r revision.Known) func([]revision.Loss) error {
	var printed []string
	return func(losses []revision.Loss) error {
		if lines := warnings(r.Name, losses); !slices.Equal(lines, printed) {
			printed = lines
			for _, line := range lines {
				fmt.Fprintln(stderr, line)
			}
		}
		if g.overwrite {
			return nil
		}
		return &revision.RefusedError{Op: string(revision.OpApprove), Package: r.Package, Workspace: r.Workspace,
			Reason: "it would undo changes of others on the main branch: merge them into the draft, or use --overwrite-main"}
	}
}

// warnings returns one line for each of the first losses. Texts of commits are made safe for a terminal.
func warnings(name string, losses []revision.Loss) (lines []string) {
	const most = 20
	for _, l := range losses[:min(most, len(losses))] {
		what := "undoes"
		switch {
		case l.Deleted:
			what = "brings back"
		case l.Mode:
			what = "undoes the file mode of"
		}
		of := l.Subject
		if !l.Commit.IsZero() {
			of = fmt.Sprintf("commit %.12s of %s: %s", l.Commit, l.Author, l.Subject)
		}
		lines = append(lines, fmt.Sprintf("warning: %s: approval %s %s, %s", cli.SafeText(name), what, cli.SafeText(l.Path), cli.SafeText(of)))
	}
	if more := len(losses) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("warning: %s: and %d files more", cli.SafeText(name), more))
	}
	return lines
}

// renderGuard keeps drafts that do not render from being published.
type renderGuard struct{ force bool }

func (g *renderGuard) add(flags *pflag.FlagSet) {
	flags.BoolVar(&g.force, "force", false, "also drafts that do not render and were kept nevertheless")
}

func (g *renderGuard) check(chosen []revision.Known, _ func() ([]revision.Known, error)) error {
	if g.force {
		return nil
	}
	for _, r := range chosen {
		why, err := renderFailure(r)
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%s does not render, and nothing was changed: %s; mend the draft, or use --force", r.Name, why)
		}
	}
	return nil
}

func newProposeDeleteCommand() *cobra.Command {
	return newLifecycleCommand(lifecycleCommand{
		verb: "propose-delete", aliases: []string{"propose-del"}, short: "Propose published revisions for deletion",
		step: sameStep(revision.OpProposeDeletion, "proposed for deletion"), from: []porch.Lifecycle{porch.Published},
		long: `Propose-delete asks for the deletion of published revisions. They stay in use until 'waybill rpkg
del' deletes them; 'waybill rpkg reject' cancels the proposal.`,
	})
}

func newDelCommand() *cobra.Command {
	return newLifecycleCommand(lifecycleCommand{
		verb: "del", commits: true, aliases: []string{"delete"}, short: "Delete drafts, proposals, and revisions proposed for deletion",
		long: `Del deletes the branches of drafts and proposals with all their commits, and the tags of revisions
whose deletion is proposed; the main branch keeps their content. For revision -1, the content of the
main branch, it removes that content.

Del refuses to delete the upstream of another revision in these repositories, which could not be
updated any more. It also refuses while one of these repositories cannot be read.`,
		step: sameStep(revision.OpDelete, "deleted"), check: checkDeletion,
		from: []porch.Lifecycle{porch.Draft, porch.Proposed, porch.DeletionProposed},
	})
}

// checkDeletion refuses to delete published revisions, and revisions that others have as their upstream. Revisions deleted
// in the same push do not count as others.
func checkDeletion(chosen []revision.Known, others func() ([]revision.Known, error)) error {
	for _, r := range chosen {
		if r.Lifecycle == porch.Published {
			return fmt.Errorf("del %s: it is published: propose its deletion by 'waybill rpkg propose-delete', then delete it", r.Name)
		}
	}
	all, err := others()
	if err != nil {
		return fmt.Errorf("del: what is in a repository that cannot be read may have its upstream here: make it readable, or leave its "+
			"Repository out: %w", err)
	}
	for _, r := range chosen {
		remaining := slices.DeleteFunc(slices.Clone(all), func(o revision.Known) bool {
			return slices.ContainsFunc(chosen, func(c revision.Known) bool {
				return c.Store == r.Store && c.Store == o.Store && c.Ref == o.Ref && c.Path == o.Path
			})
		})
		if by, used := revision.Dependent(r, remaining); used {
			return fmt.Errorf("del %s: it is the upstream of %s/%s: delete or upgrade that one first", r.Name, by.Namespace, by.Name)
		}
	}
	return nil
}
