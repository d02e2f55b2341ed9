// Package cli has what the commands of waybill share: exit codes and errors, flags, how data is read and printed, and how a
// signal ends a command.
package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/version"
)

// NewGroup returns a command that only holds others: alone it prints its help, and an unknown name is a usage error.
func NewGroup(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: KnownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(subs...)
	return cmd
}

// Args returns check with its errors as usage errors.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Usagef("%w; see '%s --help'", err, cmd.CommandPath())
		}
		return nil
	}
}

// KnownCommand refuses an argument of a command that only holds others: it is a command that does not exist. The error names those
// that may be meant.
func KnownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var similar []string
	cmd.SuggestionsMinimumDistance = min(2, len(args[0])/2) // a short word is like every short command
	for _, name := range cmd.SuggestionsFor(args[0]) {
		similar = append(similar, fmt.Sprintf("'%s %s'", cmd.CommandPath(), name))
	}
	if len(similar) == 0 {
		similar = elsewhere(cmd.Root(), args[0])
	}
	hint := "; see"
	if len(similar) > 0 {
		hint = "; did you mean " + strings.Join(similar, " or ") + "? See"
	}
	return Usagef("unknown command %q for %q%s '%s --help'", args[0], cmd.CommandPath(), hint, cmd.CommandPath())
}

// elsewhere are the commands of this name in other groups.
func elsewhere(cmd *cobra.Command, name string) (out []string) {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name && sub.Parent() != cmd.Root() {
			out = append(out, "'"+sub.CommandPath()+"'")
		}
		if sub.Name() != "completion" {
			out = append(out, elsewhere(sub, name)...)
		}
	}
	return out
}

// NoArgs is an argument check for a command without arguments.
func NoArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("this command takes no arguments, got %q", args[0])
	}
	return nil
}

// FolderArg returns the i-th argument, or "." where there are fewer.
func FolderArg(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return "."
}

// AddVerbosity adds kpt's flag -v, which has no effect.
func AddVerbosity(flags *pflag.FlagSet) {
	flags.IntP("v", "v", 0, "log level of kpt; accepted without effect: waybill keeps no log")
}

// AddDeleteEdited adds the flag that allows deleting drafts with commits by users.
func AddDeleteEdited(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "delete-edited-drafts", false, "let deletion policies delete drafts and proposals with commits by others")
}

// Version is the release of waybill and the version of Go that built it.
func Version() string {
	v := version.Get()
	return v.Version + " (" + v.Go + ")"
}

// AddChoice adds a flag whose value is one of a list; another value is a usage error. %s in does stands for the list.
func AddChoice(cmd *cobra.Command, to *string, flag, short, value, does string, values ...string) {
	*to = value
	last := len(values) - 1
	list := strings.Join(values[:last], ", ") + " or " + values[last]
	cmd.Flags().VarP(choice{to, flag, list, values}, flag, short, fmt.Sprintf(does, list))
	CompleteChoices(cmd, flag, values...)
}

// The values of --revisions.
const (
	RevisionsInGit   = "git"
	RevisionsInPorch = "porch"
)

// AddRevisions adds --revisions.
func AddRevisions(cmd *cobra.Command, to *string) {
	AddChoice(cmd, to, "revisions", "", RevisionsInGit, "where package revisions are: in %s, behind the API server of a Porch",
		RevisionsInGit, RevisionsInPorch)
}

// choice is the value of such a flag.
type choice struct {
	value      *string
	flag, list string
	values     []string
}

func (c choice) Set(text string) error {
	if text != *c.value && !slices.Contains(c.values, text) {
		return Usagef("--%s %q: want %s", c.flag, text, c.list)
	}
	*c.value = text
	return nil
}

func (c choice) String() string {
	if c.value == nil { // pflag asks a zero value for its text
		return ""
	}
	return *c.value
}

func (choice) Type() string { return "string" }

// ClusterFlags say which cluster a command uses.
type ClusterFlags struct{ Kubeconfig, context string }

// Add adds --kubeconfig and --context.
func (f *ClusterFlags) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Kubeconfig, "kubeconfig", "", "`PATH` of the kubeconfig of the cluster")
	cmd.Flags().StringVar(&f.context, "context", "", "`NAME` of the context in the kubeconfig")
	CompleteContexts(cmd, "context", &f.Kubeconfig)
}

// Given reports whether the user named a cluster.
func (f *ClusterFlags) Given() bool { return f.Kubeconfig != "" || f.context != "" }

func (f *ClusterFlags) loader() clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.Kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: f.context})
}

// Namespace is the namespace of the context in the kubeconfig.
func (f *ClusterFlags) Namespace() (string, error) {
	namespace, _, err := f.loader().Namespace()
	return namespace, err
}

// Config returns how to reach the cluster, by kubectl's rules.
func (f *ClusterFlags) Config() (*rest.Config, error) {
	cfg, err := f.loader().ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find the cluster: %w", err)
	}
	cfg.UserAgent = "waybill/" + Version()
	return cfg, nil
}
