package rpkg

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// lifecycleCommand moves revisions through their lifecycle.
type lifecycleCommand struct {
	verb, short, long string
	aliases           []string
	commits           bool // it may make commits, and so needs an author
	step              func(revision.Known) step
	from              []porch.Lifecycle // where step can begin
	// check, if set, refuses revisions before any change. others lists the revisions of all repositories.
	check func(chosen []revision.Known, others func() ([]revision.Known, error)) error
	// flags, if set, adds flags. onLoss, if set, returns what to do about the losses of an approval.
	flags  func(*pflag.FlagSet)
	onLoss func(stderr io.Writer, r revision.Known) func([]revision.Loss) error
}

// step is an operation on a revision, and the message when it is done.
type step struct {
	op   revision.Op
	done string
}

// sameStep returns the same step for every revision.
func sameStep(op revision.Op, done string) func(revision.Known) step {
	return func(revision.Known) step { return step{op, done} }
}

func newLifecycleCommand(v lifecycleCommand) *cobra.Command {
	var repos repositoryFlags
	var user userFlag
	var out cli.Printer
	cmd := &cobra.Command{
		Use:     v.verb + " NAME...",
		Aliases: v.aliases,
		Short:   v.short,
		Long: v.long + `

All revisions of one repository change in one push, or none of them. Repositories change one after
another: a failure ends the command, and earlier repositories stay changed and are printed. Changes
of other clients in the meantime are kept. 'waybill rpkg get' lists names.`,
		Example: "  waybill rpkg " + v.verb + " -f fleet deployments.eu.shop.packagevariant-1",
		Args:    cli.Args(cobra.MinimumNArgs(1)),

		ValidArgsFunction: repos.completeNames(v.from...),
		RunE:              func(cmd *cobra.Command, names []string) error { return v.run(cmd, &repos, &user, &out, names) },
	}
	repos.add(cmd)
	if v.commits {
		user.add(cmd.Flags())
	}
	cli.AddChoice(cmd, &out.Format, "output", "o", asText, "how to print: %s", asText, "json", "yaml")
	if v.flags != nil {
		v.flags(cmd.Flags())
	}
	return cmd
}

func (v lifecycleCommand) run(cmd *cobra.Command, flags *repositoryFlags, user *userFlag, out *cli.Printer, names []string) error {
	when, err := commitTime(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	all, err := flags.openAll(cmd)
	if err != nil {
		return err
	}
	within, err := flags.within(all)
	if err != nil {
		return err
	}
	chosen, err := namedRevisions(cmd.Context(), within, names)
	if err != nil {
		return err
	}
	if v.check != nil {
		others := func() ([]revision.Known, error) { return listRevisions(cmd.Context(), all, nil) }
		if err := v.check(chosen, others); err != nil {
			return err
		}
	}
	by := revision.Stamp{When: when}
	if v.signs(chosen) {
		if by.User, err = user.identity(cmd.Context(), flags); err != nil {
			return err
		}
	}
	return v.changeAll(cmd, out, chosen, by)
}

// asText is the format of a line for each changed revision.
const asText = "text"

// Changed is a revision that a command changed, in the output.
type Changed struct {
	Name       string `json:"name"`
	Namespace  string `json:"namespace,omitempty"`
	Package    string `json:"package"`
	Workspace  string `json:"workspaceName"`
	Repository string `json:"repository"`
	Change     string `json:"change"` // such as "proposed"
}

// changeAll changes one repository after another. It prints what is changed, also if a later repository fails.
func (v lifecycleCommand) changeAll(cmd *cobra.Command, out *cli.Printer, chosen []revision.Known, by revision.Stamp) (err error) {
	var changed []Changed
	for _, revs := range byRepository(chosen) {
		if err = v.change(cmd, revs, by); err != nil {
			break
		}
		for _, r := range revs {
			done := v.step(r).done
			changed = append(changed, Changed{r.Name, r.Namespace, r.Package, r.Workspace, r.Repository, done})
			if out.Format == asText {
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", r.Name, done)
			}
		}
	}
	if out.Format == asText {
		return err
	}
	return errors.Join(err, out.Print(cmd.OutOrStdout(), cli.NewList("PackageRevisionChangeList", changed), nil, nil))
}

// byRepository groups revisions by repository and keeps their order.
func byRepository(revs []revision.Known) (groups [][]revision.Known) {
	for _, r := range revs {
		i := slices.IndexFunc(groups, func(g []revision.Known) bool { return g[0].Store == r.Store })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func (v lifecycleCommand) change(cmd *cobra.Command, revs []revision.Known, by revision.Stamp) error {
	changes := make([]revision.Change, len(revs))
	for i, r := range revs {
		changes[i] = revision.Change{Op: v.step(r).op, Revision: r.Revision}
		if v.onLoss != nil {
			changes[i].OnLoss = v.onLoss(cmd.ErrOrStderr(), r)
		}
	}
	_, err := revs[0].Store.ChangeAll(cmd.Context(), changes, by)
	if err == nil {
		return nil
	}
	var refused *revision.RefusedError
	for _, r := range revs {
		if errors.As(err, &refused) && r.Package == refused.Package && r.Workspace == refused.Workspace || len(revs) == 1 {
			return fmt.Errorf("%s %s: %w", v.verb, r.Name, err)
		}
	}
	return fmt.Errorf("%s in repository %s/%s: %w", v.verb, revs[0].Namespace, revs[0].Repository, err)
}

// commitTime is when a user acts: now, or SOURCE_DATE_EPOCH for repeatable commits. (Controllers take dates from their inputs.)
func commitTime(epoch string) (time.Time, error) {
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, cli.Usagef("environment variable SOURCE_DATE_EPOCH: %q is no number of seconds", epoch)
	}
	return time.Unix(seconds, 0), nil
}
