package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// clusterFlags say which cluster a command talks to.
type clusterFlags struct{ kubeconfig, context string }

func (f *clusterFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "", "`PATH` of the file that says how to reach the cluster")
	cmd.Flags().StringVar(&f.context, "context", "", "`NAME` of the context to use of that file")
}

// given reports whether a cluster is named.
func (f *clusterFlags) given() bool { return f.kubeconfig != "" || f.context != "" }

// config is how to reach the cluster, by kubectl's rules.
func (f *clusterFlags) config() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find the cluster: %w", err)
	}
	cfg.UserAgent = "waybill/" + version()
	return cfg, nil
}
