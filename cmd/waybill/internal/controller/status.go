package controller

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	statuses "github.com/waybill-dev/waybill/controllers/combinedstatus"
)

type statusFlags struct {
	on   bool
	home cli.ClusterFlags
	with statuses.Options

	repository string
	branch     statuses.BranchOptions
}

func (f *statusFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.BoolVar(&f.on, "status", false, "combine what clusters report to this cluster, the hub")
	flags.StringVar(&f.home.Kubeconfig, "status-kubeconfig", "", "`PATH` of the kubeconfig of the cluster that has the Bindings and "+
		"StatusCollectors and gets the results (default: the hub)")
	flags.DurationVar(&o.Interval, "status-interval", time.Second, "least time between two writes of one result")
	flags.StringVar(&f.repository, "status-repository", "", "`NAMESPACE/NAME` of the Repository that has the Bindings and "+
		"StatusCollectors in a package, and gets the results on a branch")
	flags.StringVar(&f.branch.Publish.Package, "status-package", "", "`DIR` of the package, below the directory of the Repository "+
		"(default: the whole directory)")
	flags.StringVar(&f.branch.Publish.Branch, "status-branch", "status", "`NAME` of the branch that gets the results")
	flags.DurationVar(&f.branch.Interval, "status-commit-interval", time.Minute,
		"least time between two commits, and between two reads of the package")
	flags.IntVar(&f.branch.Publish.MaxCommits, "status-history", 1000,
		"start the branch again after `N` commits, if the controller made all of them")
	flags.StringVar(&o.Engine.WDS, "status-wds", "", "`NAME` of the workload space whose reports count (default: all)")
	flags.BoolVar(&o.Engine.Evaluation.NullAsNull, "status-null-as-null", false,
		"write null as Null and a list as Array, where KubeStellar writes an Object")
	flags.BoolVar(&o.Engine.Returning.StrictCounters, "status-strict-counters", false,
		"when statuses are aggregated, count a missing counter as 0; KubeStellar ignores it")
}

// options returns nil if the controller does not run.
func (f *statusFlags) options(cmd *cobra.Command) (*statuses.Options, error) {
	if err := f.check(cmd); err != nil || !f.on {
		return nil, err
	}
	if f.repository != "" {
		f.with.Branch = &f.branch
	}
	if f.home.Given() {
		home, err := cli.Await(cmd.Context(), f.home.Config)
		if err != nil {
			return nil, err
		}
		f.with.Home = home
	}
	return &f.with, nil
}

// A user sets flags of only one kind: for results in a cluster, or for results on a branch.
var (
	statusHomeFlags   = []string{"status-kubeconfig", "status-interval", "status-strict-counters"}
	statusBranchFlags = []string{"status-package", "status-branch", "status-commit-interval", "status-history"}
)

// check refuses flags that contradict each other, and invalid values.
func (f *statusFlags) check(cmd *cobra.Command) error {
	if err := f.checkTogether(cmd); err != nil {
		return err
	}
	at, err := objectName("status-repository", f.repository)
	if err != nil {
		return err
	}
	f.branch.Namespace, f.branch.Name = at.Namespace, at.Name
	switch {
	case f.with.Interval < 10*time.Millisecond:
		return cli.Usagef("want a --status-interval of 10ms or more")
	case f.branch.Interval < time.Second || f.branch.Publish.MaxCommits < 1:
		return cli.Usagef("want a --status-commit-interval of 1s or more, and a --status-history of 1 or more")
	}
	if err := f.branch.Publish.Check(); err != nil {
		return cli.Usagef("%v", err)
	}
	switch in, _ := cmd.Flags().GetStringSlice("namespace"); {
	case len(in) == 0 || !f.on:
	case f.repository == "":
		return cli.Usagef("--status cannot be used with --namespace: Bindings have no namespace; leave one of them out")
	case !slices.Contains(in, at.Namespace):
		return cli.Usagef("--status-repository %q is in none of the namespaces that --namespace names", f.repository)
	}
	return nil
}

// checkTogether refuses flags that have no effect beside the others.
func (f *statusFlags) checkTogether(cmd *cobra.Command) error {
	switch {
	case !f.on:
		return refusePrefix(cmd, "status-", "status")
	case f.repository == "":
		return refuse(cmd, "needs --status-repository", statusBranchFlags...)
	}
	return refuse(cmd, "cannot be used with --status-repository", statusHomeFlags...)
}
