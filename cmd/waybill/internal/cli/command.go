// Package cli has what the commands of waybill share: exit codes and errors, flags, how data is read and printed, and how a
// signal ends a command.
package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

func AddVerbosity(flags *pflag.FlagSet) {
	flags.IntP("v", "v", 0, "how much kpt logs; accepted, and of no effect: waybill keeps no log")
}

// Args makes what a cobra argument check finds a usage error.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Usagef("%w; see '%s --help'", err, cmd.CommandPath())
		}
		return nil
	}
}

// NoArgs refuses arguments to a command that takes none.
func NoArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("this command takes no arguments, got %q", args[0])
	}
	return nil
}

// AddDeleteEdited adds the flag that lets work of people go.
func AddDeleteEdited(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "delete-edited-drafts", false, "let deletion policies delete drafts and proposals that hold commits by others")
}

// Version is this release and the Go that built it.
func Version() string { return catalog.Version + " (" + runtime.Version() + ")" }

// NewGroup makes a command that only holds others: without one of them it prints its help, and a
// name it does not know is a usage error.
func NewGroup(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(subs...)
	return cmd
}
