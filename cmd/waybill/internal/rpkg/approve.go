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
merge has the current time, or the time in SOURCE_DATE_EPOCH, in seconds. Approve refuses a package
in the folder of another package, or around one.

The proposal replaces the package on the main branch. Approve refuses if that would undo changes
that others made there since the revision that the draft continues, or since the draft began, and
that the draft does not have: it names these files and their commits. --overwrite-main allows it;
the changes then stay in the history of the main branch. Nothing of a file is undone if the draft
has every line that main added and no line that main removed. If you merge the main branch into the
draft, the merged changes count as seen. A change of file mode also counts. A draft of a new package
replaces its folder on main: approve names every file of that folder that the draft does not have.`,
		flags: guard.add, onLoss: guard.onLoss,
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
