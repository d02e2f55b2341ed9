package main

import (
	"fmt"
	"runtime/debug"

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
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w; see '%s --help'", err, cmd.CommandPath())
	})
	root.AddCommand(newReconcileCommand(), newFnCommand(), newRpkgCommand(), newImageCommand(), newVersionCommand())
	return root
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of waybill and of the functions linked into it",
		Example: "  waybill version",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			goVersion := "unknown"
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "waybill %s (%s)\n", catalog.Version, goVersion)
			return err
		},
	}
}

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
