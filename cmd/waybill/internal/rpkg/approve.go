package rpkg

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newApproveCommand() *cobra.Command {
	var guard mainGuard
	return newLifecycleCommand(lifecycleCommand{
		verb: "approve", short: "Publish proposals: merge them into the main branch and tag them", step: sameStep(revision.OpApprove, "approved"),
		long: `Approve merges each proposal into the main branch and tags it with the next revision number. The
merge is dated now; SOURCE_DATE_EPOCH, in seconds, gives another time. A package that would lie in
another one, or around it, is refused.

The proposal takes the place of the package on the main branch. What others have changed there
since the revision that the draft continues, or since the draft began, and the draft does not have
as well, would be undone: approve names these files and their commits and refuses, unless
--overwrite-main says that it may. They stay in the history of the main branch. Nothing is undone
of a file that has, in the draft, every line that came on main and none that went. A main branch
that moved on since the draft began may be merged into the draft: what came by that counts as seen.
A change of a file's mode counts as well. A draft of a new package takes the place of its folder on
main: approve names every file of that folder that the draft does not have as well.`,
		flags: guard.add, onLoss: guard.onLoss,
	})
}

// mainGuard protects what others changed on the main branch.
type mainGuard struct{ overwrite bool }

func (g *mainGuard) add(flags *pflag.FlagSet) {
	flags.BoolVar(&g.overwrite, "overwrite-main", false, "approve although that undoes what others have changed on the main branch")
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
			Reason: "it would undo what others have changed on the main branch: bring that into the draft, or say --overwrite-main"}
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
