// Package packagevariant reconciles the PackageVariants of a Kubernetes cluster.
//
// Shape: an event adds a PackageVariant to the batch of its namespace, and its namespace to the queue of the
// controller. A batch is reconciled by reconciler.Reconciler, so that new drafts of one repository go out in one push
// and budgets count all changes together. Afterwards each PackageVariant gets its status and events; those that failed
// are tried again after growing pauses. What changes in a repository or in an object that is injected enqueues the
// PackageVariants that depend on it and no others. A new leader starts from the API server and Git alone.
// Cost: a finalizer and a status for each PackageVariant, each written when it changes.
// Errors: in conditions and events, the same failure with the same text. A PackageVariant that needs a user is
// reconciled when the user's change arrives as an event.
// Source: Porch's API group config.porch.kpt.dev.
package packagevariant

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/controllers/internal/objectcache"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// key names an object of a namespace.
type key = types.NamespacedName

// Options say how PackageVariants are reconciled. manager.Options documents them.
type Options struct {
	repository.Options
	Functions          runner.Factory
	Quiet, Longest     time.Duration
	Batch              int
	DeleteEditedDrafts bool
	LastRetry          time.Duration
}

// Controller reconciles the PackageVariants of a cluster, those of a namespace together.
type Controller struct {
	client       client.Client // reads from the cache of the manager
	reconciler   reconciler.Reconciler
	repositories *repository.Cache
	objects      *objectcache.Cache
	queue        *batchQueue
	status       *statusWriter
	contests     *contests
	options      Options
	outcomes     *outcomes
}

// Add adds a Controller to m.
func Add(m manager.Manager, s *live.Server, repositories *repository.Cache, recorder live.Recorder, o Options) error {
	outcomes, err := newOutcomes()
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	contests := newContests(m.GetAPIReader(), o)
	c := &Controller{
		client: m.GetClient(), repositories: repositories, options: o, outcomes: outcomes, contests: contests,
		status: &statusWriter{m.GetClient(), m.GetAPIReader(), recorder, o, contests},
	}
	c.reconciler = reconciler.Reconciler{Functions: o.Functions, Variants: c.list, Budgets: &budgets{m.GetClient(), o},
		Shard: o.Shard, DeleteEditedDrafts: o.DeleteEditedDrafts, OwnerReferences: o.Served != nil}
	c.queue = newBatchQueue(o, c.reconcile)
	c.objects = objectcache.New(s, objectcache.ForInjection, o.FirstRetry, o.PollInterval, c.queue.add)
	return builder.ControllerManagedBy(m).Named("packagevariant").
		WatchesRawSource(c.queue).WatchesRawSource(c.objects).WatchesRawSource(repositories.Source(c.repositoryRequests)).
		WatchesRawSource(live.Watch(m.GetCache(), &porchconfig.PackageVariant{}, c.needsReconcile, c.variantRequests)).
		WatchesRawSource(live.Watch(m.GetCache(), &waybill.ChangeBudget{}, live.Changed, c.budgetRequests)).
		WithOptions(c.queue.controllerOptions()).
		WithLogConstructor(func(*reconcile.Request) logr.Logger { return o.Log }).
		Complete(c.queue)
}

// inNamespace are the PackageVariants of this shard in a namespace, which are not to be changed.
func (c *Controller) inNamespace(ctx context.Context, namespace string) []*porchconfig.PackageVariant {
	out, err := c.list(ctx, namespace)
	if err != nil {
		c.options.Log.Error(err, "variants cannot be listed", "namespace", namespace)
	}
	return slices.DeleteFunc(out, func(pv *porchconfig.PackageVariant) bool { return !c.options.Shard.Owns(pv) })
}

// list lists the PackageVariants of all shards: what others want limits what this one may do.
func (c *Controller) list(ctx context.Context, namespace string) (out []*porchconfig.PackageVariant, err error) {
	var list porchconfig.PackageVariantList
	err = c.client.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	return out, err
}

// forget drops what the controller stores about a PackageVariant that was deleted, or that another shard works on.
func (c *Controller) forget(at key) {
	c.outcomes.set(at, "")
	c.objects.Forget(at)
	c.contests.forget(at)
}

// controllerOptions let every slot have a worker. A panic ends the process: a batch that was lost would be no error.
func (q *batchQueue) controllerOptions() controller.Options {
	return controller.Options{
		MaxConcurrentReconciles: cap(q.slots.fast) + cap(q.slots.slow), RecoverPanic: new(false), SkipNameValidation: new(true),
	}
}
