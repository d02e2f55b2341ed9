// Package root has the command line of waybill: all its commands, and how one of them is run.
package root

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// NewCommand returns `waybill`.
func NewCommand(parts Parts) *cobra.Command {
	root := newRoot()
	root.Version = cli.Version()
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	for _, g := range groups(parts) {
		root.AddCommand(g.make())
	}
	root.SetHelpCommand(newHelpCommand())
	addCompletion(root)
	cli.CompleteRest(root)
	return root
}

// newRoot returns `waybill` without commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "waybill",
		Short: "Configuration of fleets of Kubernetes clusters, as data, in Git",
		Long: `Waybill computes from Git what every cluster of a fleet will receive, so that you can preview,
review, merge and roll back a change before it ships.

Data goes to stdout, messages go to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage,
3 refused by a budget.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.KnownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var usage *cli.ExitError
		if errors.As(err, &usage) { // it names the flag already
			return usage
		}
		if cmd.HasSubCommands() { // an unknown command comes before its flags
			if unknown := cli.KnownCommand(cmd, cmd.Flags().Args()); unknown != nil {
				return unknown
			}
		}
		return cli.Usagef("%w; see '%s --help'", err, cmd.CommandPath())
	})
	addKptFlags(root)
	cli.AddColor(root)
	cli.SetHelp(root)
	return root
}

// newHelpCommand is cobra's help command, with exit code 2 for an unknown command.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help of a command",
		Example: "  waybill help fn render",

		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, _ := cmd.Root().Find(args)
			if len(rest) > 0 {
				return cli.KnownCommand(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// completeCommands completes the name of a command behind those before it.
func completeCommands(cmd *cobra.Command, args []string, word string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
	above, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) == 0 {
		for _, sub := range above.Commands() {
			if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), word) {
				out = append(out, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// addCompletion adds cobra's completion command, with exit code 2 for wrong usage.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = cli.Args(cobra.NoArgs)
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range cmd.Commands() {
			shell.Args = cli.Args(cli.NoArgs)
		}
	}
}

// addKptFlags adds the flags that kpt has on every command, so that a script may call waybill under the name kpt. Only the
// commands of fn and pkg accept them: elsewhere --kubeconfig would look as if it chose where `waybill reconcile` writes.
func addKptFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	cli.AddVerbosity(flags)
	flags.String("kubeconfig", "", "")
	flags.Duration("log-flush-frequency", 5*time.Second, "")
	flags.Bool("stack-trace", false, "")
	flags.Bool("truncate-output", false, "") // commands that run functions have one of their own
	flags.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if isKptCommand(cmd) {
			return nil
		}
		var err error
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Changed && f.Hidden {
				err = cli.Usagef("--%s is a flag of kpt, which only the commands of '%s fn' and '%[2]s pkg' accept", f.Name, root.Name())
			}
		})
		return err
	}
}

func isKptCommand(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if c.Name() == "fn" || c.Name() == "pkg" {
			return true
		}
	}
	return false
}
