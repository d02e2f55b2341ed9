// Package cli has what the commands of waybill share: exit codes and errors, flags, how data is read and printed, and how a
// signal ends a command.
package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

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

// ClusterFlags say which cluster a command talks to.
type ClusterFlags struct{ Kubeconfig, context string }

func (f *ClusterFlags) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Kubeconfig, "kubeconfig", "", "`PATH` of the file that says how to reach the cluster")
	cmd.Flags().StringVar(&f.context, "context", "", "`NAME` of the context to use of that file")
}

// Given reports whether a cluster is named.
func (f *ClusterFlags) Given() bool { return f.Kubeconfig != "" || f.context != "" }

// Config is how to reach the cluster, by kubectl's rules.
func (f *ClusterFlags) Config() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.Kubeconfig
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find the cluster: %w", err)
	}
	cfg.UserAgent = "waybill/" + Version()
	return cfg, nil
}

// ArgOr returns the i-th argument, or otherwise where there are fewer.
func ArgOr(args []string, i int, otherwise string) string {
	if i < len(args) {
		return args[i]
	}
	return otherwise
}
