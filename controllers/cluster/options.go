package cluster

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Options say how the controllers run. What is zero takes the value that is named with it.
type Options struct {
	// Functions run the pipelines of packages. Required.
	Functions runner.Factory
	// Namespaces are those whose objects are looked at: all of them when there are none.
	Namespaces []string

	// LeaderElection lets several processes stand by, of which one works.
	LeaderElection bool
	// LeaderElectionNamespace holds the lease: in a cluster by default that of the pod.
	LeaderElectionNamespace string
	// LeaseDuration, RenewDeadline and RetryPeriod time the election: 15s, 10s and 2s.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration

	// MetricsAddress serves metrics, to those the API server allows it: "0", which is nowhere.
	MetricsAddress string
	// InsecureMetrics serves them over HTTP to everybody.
	InsecureMetrics bool
	// ProbeAddress serves /healthz and /readyz: "0", which is nowhere.
	ProbeAddress string

	// PollInterval is the time between two looks at a Repository that has no schedule: 1m. Up to a
	// tenth comes on top, so that repositories are not all looked at together.
	PollInterval time.Duration
	// Fresh is how old a look may be when variants are worked: 5s. A push finds out in any case.
	Fresh time.Duration
	// Quiet is how long nothing new has to arrive before a pass begins: 100ms; it begins after
	// Longest, 2s, at the latest.
	Quiet, Longest time.Duration
	// Batch is the most variants of one pass: 1000.
	Batch int
	// DeleteEditedDrafts lets deletion policies delete drafts that hold commits by others. Else such a draft is
	// kept, and its variant waits.
	DeleteEditedDrafts bool
	// Workers is how many namespaces, and how many Repositories of one Git server, are worked at a time: 4.
	Workers int
	// SlowAfter is how long a pass waits for a Git server, and how long it counts among Workers: 10s.
	SlowAfter time.Duration
	// Git bounds what is taken from Git servers. A conversation takes at most 10m, the other bounds are gitrepo's.
	Git gitrepo.Bounds
	// FirstRetry and LastRetry bound the pauses between two tries of what failed: 1s and 5m.
	FirstRetry, LastRetry time.Duration

	// Status, when set, has what clusters report combined, too. Its Log and Now are those below.
	Status *combinedstatus.Options
	// Pusher, when set, has Translations pushed to a backend, too. Its Log is that below.
	Pusher *translation.Options
	// Mapping, when set, has MapControllers worked, too. Its Log is that below; its Runners are Functions, and
	// its Namespaces those above, unless it has others.
	Mapping *mapcontroller.Options
	// Syncing, when set, has PublishedResources worked, too. Its Log is that below.
	Syncing *publishedresource.Options

	// Log gets what happens. The zero Logger drops it.
	Log logr.Logger
	// Now is the clock of what is written into objects: time.Now.
	Now func() time.Time
	// OnStep, when set, is told what Git does for a Repository.
	OnStep func(namespace, name string, step gitrepo.Step)
}

func (o Options) withDefaults() Options {
	o.MetricsAddress = cmp.Or(o.MetricsAddress, "0")
	o.ProbeAddress = cmp.Or(o.ProbeAddress, "0")
	o.LeaseDuration = cmp.Or(o.LeaseDuration, 15*time.Second)
	o.RenewDeadline = cmp.Or(o.RenewDeadline, 10*time.Second)
	o.RetryPeriod = cmp.Or(o.RetryPeriod, 2*time.Second)
	o.PollInterval = cmp.Or(o.PollInterval, time.Minute)
	o.Fresh = cmp.Or(o.Fresh, 5*time.Second)
	o.Quiet = cmp.Or(o.Quiet, 100*time.Millisecond)
	o.Longest = cmp.Or(o.Longest, 2*time.Second)
	o.Batch = cmp.Or(o.Batch, 1000)
	o.Workers = cmp.Or(o.Workers, 4)
	o.SlowAfter = cmp.Or(o.SlowAfter, 10*time.Second)
	o.Git.Timeout = cmp.Or(o.Git.Timeout, 10*time.Minute)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	if o.Log.GetSink() == nil {
		o.Log = logr.Discard()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
