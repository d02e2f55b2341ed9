package controller

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// podNamespace is a file with the namespace of the controller's pod.
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// selectorFlag has the name that kcp's sync agent has for it.
const selectorFlag = "published-resource-selector"

type syncFlags struct {
	kubeconfig publishedresource.Kubeconfig
	selector   string
	with       publishedresource.Options
}

func (f *syncFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.StringVar(&f.kubeconfig.File, "sync-kubeconfig", "", "kubeconfig `FILE` whose contexts are the workspaces of consumers; "+
		"it is read again when it changes")
	flags.StringSliceVar(&f.kubeconfig.Contexts, "sync-context", nil, "`NAME` of a context that is a workspace, repeatable (default: all)")
	cli.CompleteContexts(cmd, "sync-context", &f.kubeconfig.File)
	flags.StringVar(&o.Agent, "sync-agent", "", "reconcile the PublishedResources with spec.agentName `NAME` (default: those without a name)")
	flags.StringVar(&f.selector, selectorFlag, "", "reconcile only the PublishedResources that this label `SELECTOR` selects (default: all)")
	flags.StringVar(&o.StateNamespace, "sync-state-namespace", publishedresource.DefaultStateNamespace,
		"`NAME` of the namespace for Secrets that record what was last applied")
	flags.IntVar(&o.Parallel, "sync-parallel", 4, "how many objects of each PublishedResource are synced at a time")
	flags.DurationVar(&o.Interval, "sync-interval", 10*time.Minute, "time between two checks of all objects")
}

// options returns nil if the controller does not run.
func (f *syncFlags) options(cmd *cobra.Command) (*publishedresource.Options, error) {
	if f.kubeconfig.File == "" {
		return nil, cmp.Or(refusePrefix(cmd, "sync-", "sync-kubeconfig"), refuse(cmd, "needs --sync-kubeconfig", selectorFlag))
	}
	if f.with.Parallel < 1 || f.with.Interval < time.Second {
		return nil, cli.Usagef("want 1 or more --sync-parallel, and a --sync-interval of 1s or more")
	}
	if namespace, err := os.ReadFile(podNamespace); err == nil {
		f.with.SystemNamespaces = []string{string(namespace)}
	}
	var err error
	if f.with.Selector, err = labels.Parse(f.selector); err != nil {
		return nil, cli.Usagef("--%s %q: %v", selectorFlag, f.selector, err)
	}
	if f.with.Workspaces, err = f.kubeconfig.Changed(); err != nil {
		return nil, err
	}
	f.with.Changed = f.kubeconfig.Changed
	if err := f.with.Check(); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &f.with, nil
}
