package manager

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Run runs the controllers until ctx ends, or until another process leads: then it must end.
func Run(ctx context.Context, cfg *rest.Config, o Options) error {
	m, err := New(cfg, o)
	if err != nil {
		return err
	}
	if err = m.Start(ctx); err == nil || o.hasOthers() { // the others need no kind
		return err
	}
	return explain(err, m.GetRESTMapper())
}

// New makes a manager with the controllers in it.
func New(cfg *rest.Config, o Options) (manager.Manager, error) {
	o = o.withDefaults()
	if o.Functions == nil {
		return nil, errors.New("controllers need a factory of functions")
	}
	if err := CheckShard(o.Shard); err != nil {
		return nil, err
	}
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // the API server has its own priority and fairness
		cfg.QPS = -1
	}
	m, err := manager.New(cfg, o.manager(scheme))
	if err != nil {
		return nil, err
	}
	return m, add(m, o)
}

func newScheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	return s, errors.Join(corev1.AddToScheme(s), porchconfig.AddToScheme(s), v1alpha2.AddToScheme(s), porch.AddToScheme(s),
		waybill.AddToScheme(s))
}

// manager are the options of the manager.
func (o Options) manager(scheme *runtime.Scheme) manager.Options {
	shutdown := 30 * time.Second
	m := manager.Options{
		Scheme: scheme, Logger: o.Log,
		LeaderElection: o.LeaderElection, LeaderElectionID: o.Lease, LeaderElectionNamespace: o.LeaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &o.LeaseDuration, RenewDeadline: &o.RenewDeadline, RetryPeriod: &o.RetryPeriod,
		HealthProbeBindAddress: o.ProbeAddress, GracefulShutdownTimeout: &shutdown,
		Metrics: metricsserver.Options{BindAddress: o.MetricsAddress},
		// Secrets are read one by one, so that the controller need not be allowed to list them all.
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

// add adds the controllers and the health checks.
func add(m manager.Manager, o Options) error {
	server, err := live.Connect("", m.GetConfig(), nil)
	if err != nil {
		return err
	}
	recorder := live.Recorder{Events: m.GetEventRecorder("waybill")}
	secrets := live.ReadyReader{Reader: m.GetAPIReader(), Ready: server.Ready}
	inGit, err := repository.NewCache(m.GetClient(), secrets, o.repositories()) // CombinedStatuses are in Git in any case
	repositories := inGit
	if err == nil && o.RevisionsInPorch {
		if o.served, err = client.NewWithWatch(m.GetConfig(), client.Options{Scheme: m.GetScheme(), Mapper: m.GetRESTMapper()}); err == nil {
			repositories, err = repository.NewCache(m.GetClient(), secrets, o.repositories())
		}
	}
	if err != nil {
		return fmt.Errorf("repositories: %w", err)
	}
	packages := func() error {
		return errors.Join(packagevariant.Add(m, server, repositories, recorder, o.variants()),
			packagevariantset.Add(m, server, repositories, recorder, o.repositories()), repository.Add(m, server, repositories, recorder))
	}
	return errors.Join(addPackages(m, o, packages), addStatus(m, inGit, o), addOthers(m, o), m.Add(inGit), m.Add(repositories),
		m.AddHealthzCheck("ping", healthz.Ping), m.AddReadyzCheck("cache", synced(m.GetCache())))
}

// addStatus adds the controller of CombinedStatuses, if the options request it.
func addStatus(m manager.Manager, repositories *repository.Cache, o Options) error {
	if o.CombinedStatus == nil {
		return nil
	}
	with := *o.CombinedStatus
	with.Log, with.Now = o.Log.WithName("status"), o.Now
	if with.Branch == nil {
		return combinedstatus.Add(m, with)
	}
	at := types.NamespacedName{Namespace: with.Branch.Namespace, Name: with.Branch.Name}
	return combinedstatus.AddBranch(m, repositories.StatusBranch(at), with)
}

// addOthers adds the controllers of Translations, MapControllers and PublishedResources, if the options request them.
func addOthers(m manager.Manager, o Options) (err error) {
	if o.Translation != nil {
		with := *o.Translation
		with.Log = o.Log.WithName("pusher")
		err = translation.Add(m, with)
	}
	if o.MapController != nil {
		with := *o.MapController
		with.Log = o.Log.WithName("map")
		if with.Runners == nil {
			with.Runners = o.Functions
		}
		if len(with.Namespaces) == 0 {
			with.Namespaces = o.Namespaces
		}
		err = errors.Join(err, mapcontroller.Add(m, with))
	}
	if o.PublishedResource != nil {
		with := *o.PublishedResource
		with.Log = o.Log.WithName("sync")
		err = errors.Join(err, publishedresource.Add(m, with))
	}
	return err
}

// synced reports whether the cache is filled: from then on this process could lead.
func synced(c cache.Cache) healthz.Checker {
	return func(req *http.Request) error {
		const timeout = time.Second
		ctx, cancel := context.WithTimeout(req.Context(), timeout)
		defer cancel()
		if !c.WaitForCacheSync(ctx) {
			return errors.New("the objects of the cluster are not known yet")
		}
		return nil
	}
}
