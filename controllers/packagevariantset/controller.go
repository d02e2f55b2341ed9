// Package packagevariantset reconciles the PackageVariantSets of a Kubernetes cluster.
//
// Shape: an event enqueues the sets that depend on the object that changed; variantset.Reconciler reconciles them
// one by one, and the report is written into the status and into events.
// Cost: a watch per kind and namespace from which a set selects; a status for each set, written when it changes.
// Errors: in conditions and events, the same failure with the same text. A set that fails is tried again at the poll
// interval, and by every event that may help.
package packagevariantset

import (
	"context"
	"sync"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/controllers/internal/objectcache"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// key names an object of a namespace.
type key = types.NamespacedName

// Controller reconciles the PackageVariantSets of a cluster.
type Controller struct {
	client       client.Client // reads from the cache of the manager
	server       client.Reader // uncached
	repositories *repository.Cache
	objects      *objectcache.Cache
	recorder     live.Recorder
	options      repository.Options

	mu           sync.Mutex
	dependencies map[key]variantset.Dependencies
}

// Add adds a Controller to m.
func Add(m manager.Manager, s *live.Server, repositories *repository.Cache, recorder live.Recorder, o repository.Options) error {
	c := &Controller{
		client: m.GetClient(), server: m.GetAPIReader(), repositories: repositories, recorder: recorder, options: o,
		dependencies: map[key]variantset.Dependencies{},
	}
	c.objects = objectcache.New(s, objectcache.ForSelection, o.FirstRetry, o.PollInterval, func(set key) reconcile.Request {
		return reconcile.Request{NamespacedName: set}
	})
	return builder.ControllerManagedBy(m).Named("packagevariantset").
		For(&v1alpha2.PackageVariantSet{}, builder.WithPredicates(predicate.Or(
			predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, predicate.LabelChangedPredicate{}))).
		WatchesRawSource(c.objects).WatchesRawSource(repositories.Source(c.upstreamRequests)).
		WatchesRawSource(live.Watch(m.GetCache(), &porchconfig.PackageVariant{}, live.Changed, c.variantRequests)).
		WatchesRawSource(live.Watch(m.GetCache(), &porchconfig.Repository{}, live.MetadataChanged, c.repositoryRequests)).
		WithOptions(controller.Options{MaxConcurrentReconciles: o.Workers, SkipNameValidation: new(true)}).
		WithLogConstructor(func(*reconcile.Request) logr.Logger { return o.Log }).
		Complete(c)
}

// Reconcile reconciles one set.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	at := req.NamespacedName
	var set v1alpha2.PackageVariantSet
	if err := c.client.Get(ctx, at, &set); apierrors.IsNotFound(err) {
		c.forget(at)
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	if !c.options.Shard.Owns(&set) {
		c.forget(at)
		return reconcile.Result{}, nil
	}
	reads := c.objects.ReadSet(func(error) {}) // a set whose objects cannot be listed changes nothing
	r := variantset.Reconciler{Objects: &objects{c, reads}, Repositories: c.repositories.ForBatch(nil),
		CopiedLabels: c.options.Shard.Keys()}
	rep := r.Reconcile(ctx, &set)
	c.setDependencies(at, rep.Depends)
	stale := reads.Commit(at.Namespace, map[key][]injection.Kind{at: rep.Depends.Kinds})
	if isStale(rep.Err) || apierror.IsNotReady(rep.Err) || ctx.Err() != nil { // it read what has changed, or what is not known yet
		return reconcile.Result{RequeueAfter: c.options.FirstRetry}, nil
	}
	err := c.report(ctx, &set, rep)
	if apierrors.IsConflict(err) { // it may belong to another shard by now
		return reconcile.Result{RequeueAfter: c.options.FirstRetry}, nil
	}
	if err != nil || len(stale) > 0 {
		return reconcile.Result{RequeueAfter: c.options.FirstRetry}, err
	}
	if rep.Err != nil {
		return reconcile.Result{RequeueAfter: c.options.PollInterval}, nil
	}
	return reconcile.Result{}, nil
}
