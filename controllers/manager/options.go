package manager

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

// Options say how the controllers run. A zero field takes the default that its comment names.
type Options struct {
	// Functions run the pipelines of packages. Required.
	Functions runner.Factory
	// Namespaces are those that the controllers work in. Empty means all.
	Namespaces []string
	// Shard has the PackageVariants, PackageVariantSets and Repositories that this process works on. Others work on the rest.
	// Every process reads all objects, and copies the labels by which it selects from sets to their variants.
	Shard shard.Shard

	// LeaderElection makes sure that only one of several processes works at a time.
	LeaderElection bool
	// LeaderElectionNamespace holds the lease: in a cluster by default that of the pod.
	LeaderElectionNamespace string
	// Lease is the name of the lease. By default it follows from Namespaces and Shard: see LeaseName.
	Lease string
	// LeaseDuration, RenewDeadline and RetryPeriod time the election: 15s, 10s and 2s.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration

	// MetricsAddress serves metrics to clients that the API server authorizes: "0", which serves none.
	MetricsAddress string
	// InsecureMetrics serves them over HTTP to every client.
	InsecureMetrics bool
	// ProbeAddress serves /healthz and /readyz: "0", which serves none.
	ProbeAddress string

	// PollInterval is the time between two polls of a Repository that has no schedule: 1m. Up to a
	// tenth is added, so that not all repositories are polled at the same time.
	PollInterval time.Duration
	// Fresh is how old a fetch may be when PackageVariants are reconciled: 5s. A push that is based on an older one fails.
	Fresh time.Duration
	// Quiet is how long no PackageVariant arrives in a namespace before a batch begins: 100ms; it begins
	// Longest, 2s, after the first one at the latest.
	Quiet, Longest time.Duration
	// Batch is the most PackageVariants of one batch: 1000.
	Batch int
	// DeleteEditedDrafts lets deletion policies delete drafts that hold commits by others. Else such a draft is
	// kept, and its variant waits.
	DeleteEditedDrafts bool
	// Workers is how many namespaces are reconciled, and how many Repositories of one Git server polled, at a time: 4.
	Workers int
	// SlowAfter is how long a batch waits for a Git server, and how long it counts among Workers: 10s.
	SlowAfter time.Duration
	// Git bounds what is read from Git servers. A conversation takes at most 10m, the other bounds are gitrepo's.
	Git gitrepo.Bounds
	// Registry says how OCI registries are read; its credentials are not used.
	Registry registry.Options
	// FirstRetry and LastRetry bound the pauses between two attempts after a failure: 1s and 5m.
	FirstRetry, LastRetry time.Duration

	// Porch says whether a Porch keeps the statuses of Repositories, so that only conditions of our own are written:
	// repository.PorchDetected.
	Porch repository.Presence
	// NotifyPorch tells Porch when a repository changed: it would show that late.
	NotifyPorch bool

	// RevisionsInPorch has package revisions read from Porch's API server and written there, in place of Git. A Porch is present then,
	// and needs no notification.
	RevisionsInPorch bool

	// CombinedStatus, when set, adds the controller that combines what clusters report. Its Log and Now are those below.
	CombinedStatus *combinedstatus.Options
	// Translation, when set, adds the controller that pushes Translations to a backend. Its Log is that below.
	Translation *translation.Options
	// MapController, when set, adds the controller of MapControllers. Its Log is that below; its Runners are Functions, and
	// its Namespaces those above, unless it has others.
	MapController *mapcontroller.Options
	// PublishedResource, when set, adds the controller of PublishedResources. Its Log is that below.
	PublishedResource *publishedresource.Options

	// Log is the log. The zero Logger drops it.
	Log logr.Logger
	// Now is the clock of statuses: time.Now.
	Now func() time.Time
	// OnStep, when set, is called with what Git does for a Repository.
	OnStep func(namespace, name string, step gitrepo.Step)

	served client.WithWatch // of package revisions, if RevisionsInPorch
}

func (o Options) withDefaults() Options {
	o.MetricsAddress = cmp.Or(o.MetricsAddress, "0")
	o.ProbeAddress = cmp.Or(o.ProbeAddress, "0")
	o.Lease = cmp.Or(o.Lease, LeaseName(o.Namespaces, o.Shard))
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
	o.Porch = cmp.Or(o.Porch, repository.PorchDetected)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func (o Options) repositories() repository.Options {
	return repository.Options{PollInterval: o.PollInterval, Fresh: o.Fresh, SlowAfter: o.SlowAfter, FirstRetry: o.FirstRetry,
		Workers: o.Workers, Git: o.Git, Registry: o.Registry, Log: o.Log, Now: o.Now, OnStep: o.OnStep, Porch: o.Porch,
		NotifyPorch: o.NotifyPorch, Shard: o.Shard, Served: o.served, Namespaces: o.Namespaces}
}

func (o Options) variants() packagevariant.Options {
	return packagevariant.Options{Options: o.repositories(), Functions: o.Functions, Quiet: o.Quiet, Longest: o.Longest, Batch: o.Batch,
		DeleteEditedDrafts: o.DeleteEditedDrafts, LastRetry: o.LastRetry}
}
