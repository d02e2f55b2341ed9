package lock

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Options say how to lock a package.
type Options struct {
	// Fetch fetches an archive. Without it nothing is fetched: charts that are not in the package are Missing.
	Fetch func(context.Context, fetch.Request) (*fetch.Archive, error)
	// From holds archives that need not be fetched: another version of the package.
	From pkgtree.Tree
	// Upgrade resolves ranges again. Otherwise what the lock says stays while the config says the same.
	Upgrade bool
	// Embed also writes a PackageFiles object beside each config, for pipelines that the real kpt runs. One that is there is
	// kept up to date in any case.
	Embed bool
	// Observe, when set, is called before a chart is fetched.
	Observe func(fetch.Request)
}

// Status says what happened to a chart.
type Status string

// The statuses of charts.
const (
	Unchanged Status = "unchanged"
	Fetched   Status = "fetched"
	Locked    Status = "locked"  // it was in the package, and the lock did not say so
	Missing   Status = "missing" // it is not in the package, and was not fetched
)

// Row is a chart of a config, after locking.
type Row struct {
	Config string `json:"config"` // the file of the config
	Chart  `json:",inline"`
	From   string `json:"from,omitempty"` // the version that was locked before, if it is another one
	Status Status `json:"status"`
}

// Result is a locked package.
type Result struct {
	Tree pkgtree.Tree
	Rows []Row // in path order, then in the order of the configs
}

// Missing are the charts that are not in the package.
func (r *Result) Missing() (out []Row) {
	for _, row := range r.Rows {
		if row.Status == Missing {
			out = append(out, row)
		}
	}
	return out
}
