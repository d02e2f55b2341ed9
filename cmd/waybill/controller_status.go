package main

import (
	"time"

	"github.com/spf13/cobra"

	statuses "github.com/waybill-dev/waybill/controllers/status"
)

// statusFlags say whether what clusters report is combined, and how.
type statusFlags struct {
	on   bool
	home clusterFlags
	with statuses.Options
}

func (f *statusFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.BoolVar(&f.on, "status", false, "combine what clusters report; the cluster is the hub that they report to")
	flags.StringVar(&f.home.kubeconfig, "status-kubeconfig", "", "`PATH` of the file that says how to reach the cluster with the Bindings and StatusCollectors, which gets the results (default: the hub)")
	flags.DurationVar(&o.Interval, "status-interval", time.Second, "least time between two writes of one result")
	flags.StringVar(&o.Engine.WDS, "status-wds", "", "`NAME` of the workload space whose reports count; all when there is none")
	flags.BoolVar(&o.Engine.Evaluation.NullAsNull, "status-null-as-null", false, "write null as Null and a list as Array, where KubeStellar writes an Object")
	flags.BoolVar(&o.Engine.Returning.StrictCounters, "status-strict-counters", false, "take a counter that a status lacks for 0 when statuses are aggregated, where KubeStellar ignores it")
}

// options are nil when nothing is to be combined.
func (f *statusFlags) options(cmd *cobra.Command) (*statuses.Options, error) {
	for _, name := range []string{"status-kubeconfig", "status-interval", "status-wds", "status-null-as-null", "status-strict-counters"} {
		if cmd.Flags().Changed(name) && !f.on {
			return nil, usage("--%s goes with --status", name)
		}
	}
	switch {
	case !f.on:
		return nil, nil
	case f.with.Interval < 10*time.Millisecond:
		return nil, usage("want a --status-interval of 10ms or more")
	case f.home.given():
		home, err := f.home.config()
		if err != nil {
			return nil, err
		}
		f.with.Home = home
	}
	return &f.with, nil
}
