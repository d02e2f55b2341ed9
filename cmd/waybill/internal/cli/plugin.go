package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
)

// Names of the files that kubectl runs for `kubectl waybill` and for its completion.
const (
	pluginFile     = "kubectl-waybill"
	completionFile = "kubectl_complete-waybill"
)

// PluginArgs returns the arguments of the program in file. With the name of a plugin of kubectl it is that plugin: help names it as the
// user does, and its completion answers kubectl.
func PluginArgs(root *cobra.Command, file string, args []string) []string {
	switch filepath.Base(file) {
	case pluginFile:
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl " + root.Name()}
	case completionFile:
		return append([]string{cobra.ShellCompRequestCmd}, args...)
	}
	return args
}

// isPlugin reports whether the user runs `kubectl waybill`.
func isPlugin(cmd *cobra.Command) bool {
	return cmd.Root().Annotations[cobra.CommandDisplayNameAnnotation] != ""
}

// Wanted reports whether a command that also reads files is to use a cluster: the user named one, by flags or the environment,
// or runs the command as a plugin of kubectl.
func (f *ClusterFlags) Wanted(cmd *cobra.Command) bool {
	return f.Given() || isPlugin(cmd) || os.Getenv(clientcmd.RecommendedConfigPathEnvVar) != ""
}
