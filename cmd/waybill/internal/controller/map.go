package controller

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/catalog"
)

type mapFlags struct {
	on   bool
	with mapcontroller.Options
}

func (f *mapFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.BoolVar(&f.on, "map", false, "reconcile MapControllers")
	flags.StringSliceVar(&o.Namespaces, "map-namespace", nil, "`NAME` of a namespace whose objects are mapped, repeatable "+
		"(default: the namespaces of --namespace)")
	flags.IntVar(&o.Workers, "map-workers", 4, "how many MapControllers are reconciled at a time")
	flags.IntVar(&o.Parallel, "map-parallel", 8, "how many requests to hooks, and writes, each MapController has at a time")
	flags.DurationVar(&o.MinInterval, "map-interval", time.Second, "least time between two reconciles of one MapController")
}

// options returns nil if the controller does not run.
func (f *mapFlags) options(cmd *cobra.Command) (*mapcontroller.Options, error) {
	if !f.on {
		return nil, refusePrefix(cmd, "map-", "map")
	}
	if f.with.Workers < 1 || f.with.Parallel < 1 || f.with.MinInterval < 10*time.Millisecond {
		return nil, cli.Usagef("want 1 or more --map-workers and --map-parallel, and a --map-interval of 10ms or more")
	}
	f.with.Functions = catalog.Functions
	return &f.with, nil
}
