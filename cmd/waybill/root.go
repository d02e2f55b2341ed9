package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "waybill",
		Short: "Configuration of fleets of Kubernetes clusters, as data, in Git",
		Long: `Waybill computes what every cluster of a fleet will receive as a pure function of Git, so that it
can be previewed, reviewed, merged and rolled back before it ships.

Data goes to stdout, talk to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:       version(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w; see '%s --help'", err, cmd.CommandPath())
	})
	root.AddCommand(newReconcileCommand(), newControllerCommand(), newFnCommand(), newPkgCommand(), newRpkgCommand(), newFleetCommand(),
		newPushCommand(), newImageCommand(), newVersionCommand())
	addKptFlags(root)
	root.SetHelpCommand(newHelpCommand())
	addCompletion(root)
	return root
}

// newHelpCommand is cobra's, but for an exit code that tells when there is nothing to help with.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help of a command",
		Example: "  waybill help fn render",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage("there is no command %q; see '%s --help'", strings.Join(args, " "), cmd.Root().Name())
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// addCompletion adds cobra's command, with our exit code for wrong usage.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = usageArgs(cobra.NoArgs)
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range cmd.Commands() {
			shell.Args = usageArgs(noArgs)
		}
	}
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of waybill, which is that of the functions linked into it",
		Example: "  waybill version",
		Args:    usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "waybill %s\n", version())
			return err
		},
	}
}

// version is this release and the Go that built it.
func version() string { return catalog.Version + " (" + runtime.Version() + ")" }

// group makes a command that only holds others: without one of them it prints its help, and a
// name it does not know is a usage error.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(subs...)
	return cmd
}
