package combinedstatus

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// Options configure the controller. A zero field gets the value that its comment names.
type Options struct {
	// Home is the API server with Bindings and collectors, which gets the results. Default: the hub, which is the API server
	// of the manager.
	Home *rest.Config
	// Branch, when set, commits results to a branch of a repository, with Bindings, collectors and objects from a package
	// there: see AddBranch. Home and Interval do not count then.
	Branch *BranchOptions
	// Engine configures results.
	Engine engine.Options
	// Interval is the least time between two writes of one object: 1s.
	Interval time.Duration
	// Workers is how many objects are written at the same time: 8.
	Workers int
	// FirstRetry and LastRetry bound the pauses between two attempts after failures, and between two checks whether a kind is
	// served: 1s and 30s.
	FirstRetry, LastRetry time.Duration
	// Log gets the messages. The zero Logger drops them.
	Log logr.Logger
	// Now is the clock for times in objects: time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Interval = cmp.Or(o.Interval, time.Second)
	o.Workers = cmp.Or(o.Workers, 8)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 30*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
