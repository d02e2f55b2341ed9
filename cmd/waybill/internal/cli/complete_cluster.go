package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// loadKubeconfig reads a kubeconfig by kubectl's rules, or without a path the default one. It neither migrates old files, as
// kubectl does, nor prints warnings.
func loadKubeconfig(path string) (*clientcmdapi.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath, rules.MigrationRules, rules.WarnIfAllMissing = path, nil, false
	return rules.Load()
}

// CompleteContexts completes a flag by the contexts of a kubeconfig.
func CompleteContexts(cmd *cobra.Command, flag string, kubeconfig *string) {
	CompleteFlag(cmd, flag, func(context.Context, []string, string) (out []Proposal, err error) {
		config, err := loadKubeconfig(*kubeconfig)
		if err != nil {
			return nil, err
		}
		for name, c := range config.Contexts {
			out = append(out, Proposal{name, "cluster " + c.Cluster})
		}
		return out, nil
	}, cobra.ShellCompDirectiveNoFileComp)
}

// CompleteNamespaces completes flags by the namespaces that the contexts of a kubeconfig name.
func CompleteNamespaces(cmd *cobra.Command, kubeconfig *string, flags ...string) {
	for _, flag := range flags {
		CompleteFlag(cmd, flag, func(context.Context, []string, string) ([]Proposal, error) {
			return FindNamespaces(*kubeconfig)
		}, cobra.ShellCompDirectiveNoFileComp)
	}
}

// FindNamespaces finds the namespaces that the contexts of a kubeconfig name. A cluster is not asked.
func FindNamespaces(kubeconfig string) ([]Proposal, error) {
	config, err := loadKubeconfig(kubeconfig)
	if err != nil {
		return nil, err
	}
	out := Texts("default")
	for _, c := range config.Contexts {
		out = append(out, Proposal{Text: c.Namespace})
	}
	return out, nil
}
