package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// addKptFlags adds the flags that kpt has on every command, so that a script may call waybill under the name kpt. Only the
// commands of fn and pkg accept them: otherwise a user would believe that --kubeconfig says where `waybill reconcile`
// writes.
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
			if f.Changed {
				err = cli.Usagef("--%s is a flag of kpt, which only the commands of '%s fn' and '%[2]s pkg' accept", f.Name, root.Name())
			}
		})
		return err
	}
}

// isKptCommand reports whether kpt has this command too.
func isKptCommand(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if c.Name() == "fn" || c.Name() == "pkg" {
			return true
		}
	}
	return false
}
