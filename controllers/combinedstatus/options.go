package combinedstatus

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// Options say how the controller runs. What is zero takes the value that is named with it.
type Options struct {
	// Home is the API server that holds Bindings and collectors, and gets the results: that of the
	// manager, which is the hub.
	Home *rest.Config
	// Branch, when set, has results kept on a branch of a repository, with Bindings, collectors and objects
	// from a package there: see AddBranch. Home and Interval do not count then.
	Branch *BranchOptions
	// Engine says how results are made.
	Engine engine.Options
	// Interval is the least time between two writes of one object: 1s.
	Interval time.Duration
	// Workers is how many objects are written at a time: 8.
	Workers int
	// FirstRetry and LastRetry bound the pauses between two tries of what failed, and between two looks
	// for a kind that is not served: 1s and 30s.
	FirstRetry, LastRetry time.Duration
	// Log gets what happens. The zero Logger drops it.
	Log logr.Logger
	// Now is the clock of what is written into objects: time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Interval = cmp.Or(o.Interval, time.Second)
	o.Workers = cmp.Or(o.Workers, 8)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 30*time.Second)
	if o.Log.GetSink() == nil {
		o.Log = logr.Discard()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
