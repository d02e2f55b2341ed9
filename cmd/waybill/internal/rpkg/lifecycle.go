package rpkg

import (
	"io"
	"os"
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
	var f lifecycleFlags
	cmd := &cobra.Command{
		Use:     v.verb + " [NAME...]",
		Aliases: v.aliases,
		Short:   v.short,
		Long: v.long + `

All revisions of one repository change in one push, or none of them. Repositories change one after
another: a failure ends the command, and earlier repositories stay changed and are printed. Changes
of other clients in the meantime are kept. 'waybill rpkg get' lists names.

Without names, selecting flags such as -l choose among the revisions that the step is for. The
command lists them on stderr, and asks before it changes any; --yes answers. With names, the flags
tell apart a draft and a published revision of the same name.`,
		Example: "  waybill rpkg " + v.verb + " -f fleet deployments.eu.shop.packagevariant-1\n" +
			"  waybill rpkg " + v.verb + " -f fleet -l tier=web --yes",
		Args: cli.Args(func(cmd *cobra.Command, names []string) error {
			if f.only.given() {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, names)
		}),

		ValidArgsFunction: f.repos.completeNames(v.from...),
		RunE:              func(cmd *cobra.Command, names []string) error { return v.run(cmd, &f, names) },
	}
	f.repos.add(cmd)
	f.only.add(cmd, &f.repos)
	cmd.Flags().BoolVar(&f.yes, "yes", false, "change what the flags select without a question")
	if v.commits {
		f.user.add(cmd.Flags())
	}
	cli.AddChoice(cmd, &f.out.Format, "output", "o", asText, "how to print: %s", asText, "json", "yaml")
	if v.flags != nil {
		v.flags(cmd.Flags())
	}
	return cmd
}

// lifecycleFlags are the flags of these commands.
type lifecycleFlags struct {
	repos repositoryFlags
	only  revisionSelector
	user  userFlag
	out   cli.Printer
	yes   bool
}

func (v lifecycleCommand) run(cmd *cobra.Command, flags *lifecycleFlags, names []string) error {
	when, err := commitTime(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	if err := flags.only.check(); err != nil {
		return err
	}
	all, err := flags.repos.openAll(cmd)
	if err != nil {
		return err
	}
	within, err := flags.repos.within(all)
	if err != nil {
		return err
	}
	chosen, err := v.choose(cmd, flags, within, names)
	if err != nil {
		return err
	}
	if v.check != nil {
		others := func() ([]revision.Known, error) { return listMade(cmd.Context(), all) }
		if err := v.check(chosen, others); err != nil {
			return err
		}
	}
	by := revision.Stamp{When: when}
	if v.signs(chosen) {
		if by.User, err = flags.user.identity(cmd.Context(), &flags.repos); err != nil {
			return err
		}
	}
	return v.changeAll(cmd, &flags.out, chosen, by)
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
