package cluster

import (
	"context"
	"sync"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	ctrlsource "sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// sets works the cluster's PackageVariantSets, one by one.
type sets struct {
	client       client.Client
	cache        cache.Cache
	live         client.Reader
	repositories *repositories
	sources      *sources
	events       *events
	options      Options

	mu      sync.Mutex
	queue   workqueue.TypedRateLimitingInterface[reconcile.Request] // nil until the controller runs
	depends map[key]variantset.Dependencies
}

func newSets(
	m manager.Manager, objects dynamic.Interface, ready func(context.Context) error, repos *repositories, tell *events, o Options,
) *sets {
	s := &sets{
		client: m.GetClient(), cache: m.GetCache(), live: m.GetAPIReader(), repositories: repos, events: tell, options: o,
		sources: newSources(objects, m.GetRESTMapper(), ready, selectable, o),
		depends: map[key]variantset.Dependencies{},
	}
	s.sources.changed = s.wake
	return s
}

// add makes the sets a controller of m.
func (s *sets) add(m manager.Manager) error {
	return builder.ControllerManagedBy(m).Named("packagevariantset").
		For(&v1alpha2.PackageVariantSet{}, builder.WithPredicates(predicate.Or(
			predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, predicate.LabelChangedPredicate{}))).
		WatchesRawSource(ctrlsource.Func(s.attend)).
		WithOptions(controller.Options{MaxConcurrentReconciles: s.options.Workers, SkipNameValidation: new(true)}).
		WithLogConstructor(func(*reconcile.Request) logr.Logger { return s.options.Log }).
		Complete(s)
}

// wake has sets worked.
func (s *sets) wake(keys []key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range keys {
		if s.queue != nil {
			s.queue.Add(reconcile.Request{NamespacedName: k})
		}
	}
}

// Reconcile works one set.
func (s *sets) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	at := req.NamespacedName
	var set v1alpha2.PackageVariantSet
	if err := s.client.Get(ctx, at, &set); apierrors.IsNotFound(err) {
		s.forget(at)
		s.sources.note(at.Namespace, map[key][]packagevariant.Kind{at: nil})
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	asking := s.sources.ask(func(error) {}) // a set whose objects cannot be listed changes nothing
	r := packagevariantset.Reconciler{Objects: &setObjects{s, asking}, Repositories: s.repositories.forPass(nil)}
	rep := r.Reconcile(ctx, &set)
	s.note(at, rep.Depends)
	again := asking.done(at.Namespace, map[key][]packagevariant.Kind{at: kinds(rep.Depends)})
	if overtaken(rep.Err) || tooEarly(rep.Err) || ctx.Err() != nil { // it saw what is true no more, or not yet
		return reconcile.Result{RequeueAfter: s.options.FirstRetry}, nil
	}
	if err := s.report(ctx, &set, rep); err != nil || len(again) > 0 {
		return reconcile.Result{RequeueAfter: s.options.FirstRetry}, err
	}
	if rep.Err != nil {
		return reconcile.Result{RequeueAfter: s.options.PollInterval}, nil
	}
	return reconcile.Result{}, nil
}
