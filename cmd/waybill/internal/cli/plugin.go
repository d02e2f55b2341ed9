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

// PluginArgs returns the arguments of the program in file. With the name of the completion of kubectl's plugin, it completes.
func PluginArgs(file string, args []string) []string {
	if filepath.Base(file) == completionFile {
		return append([]string{cobra.ShellCompRequestCmd}, args...)
	}
	return args
}

// SetPlugin has help name the program as the user does, if its file is that of the plugin of kubectl.
func SetPlugin(root *cobra.Command, file string) {
	if filepath.Base(file) == pluginFile {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl " + root.Name()}
	}
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
