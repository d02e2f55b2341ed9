package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// lease is the name of the lease that the process holds which works.
const lease = "controller.waybill.dev"

// Run runs the controllers until ctx ends, or until another process leads: then it must end.
func Run(ctx context.Context, cfg *rest.Config, o Options) error {
	m, err := New(cfg, o)
	if err != nil {
		return err
	}
	return explain(m.Start(ctx), m.GetRESTMapper())
}

// New makes a manager with the controllers in it.
func New(cfg *rest.Config, o Options) (manager.Manager, error) {
	o = o.withDefaults()
	if o.Functions == nil {
		return nil, errors.New("controllers need a factory of functions")
	}
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // the API server shares itself out fairly
		cfg.QPS = -1
	}
	m, err := manager.New(cfg, o.manager(scheme))
	if err != nil {
		return nil, err
	}
	return m, addAll(m, o)
}

func newScheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	return s, errors.Join(corev1.AddToScheme(s), porchconfig.AddToScheme(s), v1alpha2.AddToScheme(s), waybill.AddToScheme(s))
}

// manager are the options of a manager.
func (o Options) manager(scheme *runtime.Scheme) manager.Options {
	patience := 30 * time.Second
	m := manager.Options{
		Scheme: scheme, Logger: o.Log,
		LeaderElection: o.LeaderElection, LeaderElectionID: lease, LeaderElectionNamespace: o.LeaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &o.LeaseDuration, RenewDeadline: &o.RenewDeadline, RetryPeriod: &o.RetryPeriod,
		HealthProbeBindAddress: o.ProbeAddress, GracefulShutdownTimeout: &patience,
		Metrics: metricsserver.Options{BindAddress: o.MetricsAddress},
		// Secrets are read one by one: whoever may do that need not be allowed to list them all.
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}},
		Cache:  cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	}
	if !o.InsecureMetrics {
		m.Metrics.SecureServing, m.Metrics.FilterProvider = true, filters.WithAuthenticationAndAuthorization
	}
	for _, namespace := range o.Namespaces {
		if m.Cache.DefaultNamespaces == nil {
			m.Cache.DefaultNamespaces = map[string]cache.Config{}
		}
		m.Cache.DefaultNamespaces[namespace] = cache.Config{}
	}
	return m
}

// addAll adds the controllers, and what says how they are.
func addAll(m manager.Manager, o Options) error {
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	objects, err := dynamic.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return err
	}
	ready, err := readiness(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return err
	}
	tell := &events{m.GetEventRecorder("waybill")}
	repos := newRepositories(m.GetClient(), steady{m.GetAPIReader(), ready}, o, counts)
	v := &variants{
		cache: m.GetCache(), repositories: repos, sources: newSources(objects, m.GetRESTMapper(), ready, injectable, o),
		options: o, meters: counts,
		writer: &writer{m.GetClient(), m.GetAPIReader(), tell, o.Now},
		reconciler: packagevariant.Reconciler{Functions: o.Functions, Budgets: &budgets{m.GetClient(), o},
			DeleteEditedDrafts: o.DeleteEditedDrafts},
	}
	v.reconciler.Variants = v.list
	v.queue = newQueue(o, v.pass)
	s := newSets(m, objects, ready, repos, tell, o)
	repos.changed = func(ctx context.Context, at key, what change, except map[key]bool) {
		v.repositoryChanged(ctx, at, what, except)
		s.repositoryChanged(ctx, at, what)
	}
	v.sources.changed = v.wake
	poll := &poller{m.GetClient(), repos, o, tell, newSeats(o.Workers)}
	return errors.Join(m.Add(v), s.add(m), poll.add(m), addStatus(m, repos, o), addPusher(m, o), addMapping(m, o), addSyncing(m, o),
		m.AddHealthzCheck("ping", healthz.Ping), m.AddReadyzCheck("cache", synced(m.GetCache())))
}

// addStatus adds the controller of what clusters report, if it is asked for.
func addStatus(m manager.Manager, repos *repositories, o Options) error {
	if o.Status == nil {
		return nil
	}
	with := *o.Status
	with.Log, with.Now = o.Log.WithName("status"), o.Now
	if with.Branch == nil {
		return combinedstatus.Add(m, with)
	}
	return combinedstatus.AddBranch(m, statusRepository{repos, key{Namespace: with.Branch.Namespace, Name: with.Branch.Name}}, with)
}

// addPusher adds the controller that pushes Translations to a backend, if it is asked for.
func addPusher(m manager.Manager, o Options) error {
	if o.Pusher == nil {
		return nil
	}
	with := *o.Pusher
	with.Log = o.Log.WithName("pusher")
	return translation.Add(m, with)
}

// addMapping adds the controller that works MapControllers, if it is asked for.
func addMapping(m manager.Manager, o Options) error {
	if o.Mapping == nil {
		return nil
	}
	with := *o.Mapping
	with.Log = o.Log.WithName("map")
	if with.Runners == nil {
		with.Runners = o.Functions
	}
	if len(with.Namespaces) == 0 {
		with.Namespaces = o.Namespaces
	}
	return mapcontroller.Add(m, with)
}

// addSyncing adds the controller that works PublishedResources, if it is asked for.
func addSyncing(m manager.Manager, o Options) error {
	if o.Syncing == nil {
		return nil
	}
	with := *o.Syncing
	with.Log = o.Log.WithName("sync")
	return publishedresource.Add(m, with)
}

// synced says whether the objects are known: from then on this process could lead.
func synced(c cache.Cache) healthz.Checker {
	return func(req *http.Request) error {
		const patience = time.Second
		ctx, cancel := context.WithTimeout(req.Context(), patience)
		defer cancel()
		if !c.WaitForCacheSync(ctx) {
			return errors.New("the objects of the cluster are not known yet")
		}
		return nil
	}
}
