package controller

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// podNamespace is a file with the namespace of the controller's pod.
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

type syncFlags struct {
	kubeconfig string
	contexts   []string
	with       publishedresource.Options
}

func (f *syncFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.StringVar(&f.kubeconfig, "sync-kubeconfig", "", "kubeconfig `FILE` whose contexts are the workspaces of consumers")
	flags.StringSliceVar(&f.contexts, "sync-context", nil, "`NAME` of a context that is a workspace, repeatable (default: all)")
	cli.CompleteContexts(cmd, "sync-context", &f.kubeconfig)
	flags.StringVar(&o.Agent, "sync-agent", "", "reconcile the PublishedResources with spec.agentName `NAME` (default: those without a name)")
	flags.StringVar(&o.StateNamespace, "sync-state-namespace", publishedresource.DefaultStateNamespace,
		"`NAME` of the namespace for Secrets that record what was last applied")
	flags.IntVar(&o.Parallel, "sync-parallel", 4, "how many objects of each PublishedResource are synced at a time")
	flags.DurationVar(&o.Interval, "sync-interval", 10*time.Minute, "time between two checks of all objects")
}

// options returns nil if the controller does not run.
func (f *syncFlags) options(cmd *cobra.Command) (*publishedresource.Options, error) {
	if f.kubeconfig == "" {
		return nil, refusePrefix(cmd, "sync-", "sync-kubeconfig")
	}
	if f.with.Parallel < 1 || f.with.Interval < time.Second {
		return nil, cli.Usagef("want 1 or more --sync-parallel, and a --sync-interval of 1s or more")
	}
	if namespace, err := os.ReadFile(podNamespace); err == nil {
		f.with.SystemNamespaces = []string{string(namespace)}
	}
	var err error
	if f.with.Workspaces, err = publishedresource.Workspaces(f.kubeconfig, f.contexts); err != nil {
		return nil, err
	}
	if err := f.with.Check(); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &f.with, nil
}
