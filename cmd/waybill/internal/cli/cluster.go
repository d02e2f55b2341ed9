package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

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
