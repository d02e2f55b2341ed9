// Package repository keeps the Git repositories and registries of a cluster's Repository objects open, and fetches them on time.
//
// Shape: a Cache opens a repository once for a spec and the Secrets that it names, and is a source of requests for what
// is new there. The Reconciler polls every repository by its schedule and writes its status. PackageVariants and
// PackageVariantSets read repositories by ForBatch; the Reader serves one command. Where a Porch serves the revisions, the Cache
// opens package porchstore in place of Git, and a watch has a repository read when something changed there.
// Cost: the Git objects of each Repository in memory; a request for its refs per poll, and per batch of PackageVariants
// at most every few seconds.
// Errors: in the Ready condition and in events. What failed is tried again after growing pauses. Credentials never
// show.
// Source: Porch's API group config.porch.kpt.dev.
package repository

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

type key = types.NamespacedName

// Options say how repositories are fetched. manager.Options documents them.
type Options struct {
	PollInterval, Fresh, SlowAfter, FirstRetry time.Duration
	Workers                                    int
	Git                                        gitrepo.Bounds
	Registry                                   registry.Options
	Log                                        logr.Logger
	Now                                        func() time.Time
	OnStep                                     func(namespace, name string, step gitrepo.Step)
	Porch                                      Presence
	NotifyPorch                                bool
	Shard                                      shard.Shard
	// Served, when set, has revisions read from Porch's API server and written there, in place of Git; its watch is used for events.
	Served client.WithWatch
	// Namespaces are those to watch. Empty means all.
	Namespaces []string
}

// Reconciler polls every repository on time and writes its Repository's status.
type Reconciler struct {
	client   client.Client
	cache    *Cache
	options  Options
	recorder live.Recorder
	slots    *pollSlots
	porch    *porchDetector
}

// Add adds a controller that polls the repositories of c to m. Several managers may run in one process, so controllers'
// names need not be unique.
func Add(m manager.Manager, s *live.Server, c *Cache, recorder live.Recorder) error {
	r := &Reconciler{m.GetClient(), c, c.options, recorder, newPollSlots(c.options.Workers), newPorchDetector(s, c.options)}
	b := builder.ControllerManagedBy(m).Named("repository")
	if c.options.Served != nil {
		b.WatchesRawSource(&revisionWatch{c})
	}
	return b.For(&porchconfig.Repository{}, builder.WithPredicates(r.options.changed())).
		WithOptions(controller.Options{MaxConcurrentReconciles: r.slots.all, SkipNameValidation: new(true)}).
		WithLogConstructor(func(*reconcile.Request) logr.Logger { return r.options.Log }).
		Complete(r)
}

// Reconcile polls one repository and says when to poll it again.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var obj porchconfig.Repository
	if err := r.client.Get(ctx, req.NamespacedName, &obj); apierrors.IsNotFound(err) {
		r.cache.remove(ctx, req.NamespacedName)
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	if needed, err := r.isNeeded(ctx, &obj); err != nil {
		return reconcile.Result{}, err
	} else if !needed {
		r.cache.remove(ctx, req.NamespacedName)
		return reconcile.Result{RequeueAfter: r.options.PollInterval}, nil
	}
	release, ok := r.slots.acquire(&obj)
	if !ok {
		return reconcile.Result{RequeueAfter: slotRetry}, nil
	}
	defer release()
	shared, err := r.porch.isPresent(ctx)
	if err != nil {
		return reconcile.Result{}, err
	}
	if err := r.begin(ctx, &obj, shared); err != nil {
		return requeueConflict(err)
	}
	result, err := r.poll(ctx, &obj)
	if ctx.Err() != nil || apierror.IsUnavailable(err) {
		return reconcile.Result{}, errors.Join(err, ctx.Err())
	}
	if r.options.Shard.Owns(&obj) {
		r.record(&obj, &result, err)
	}
	if err != nil {
		result.next = r.options.Now().Add(r.cache.retryDelay(req.NamespacedName))
	}
	write := func(s *porchconfig.RepositoryStatus) { result.writeTo(s, &obj, err) }
	if shared {
		write = func(s *porchconfig.RepositoryStatus) { result.writeOwn(s, &obj, err) }
	}
	if err := r.writeStatus(ctx, &obj, shared, write); err != nil {
		return requeueConflict(err)
	}
	return reconcile.Result{RequeueAfter: max(result.next.Sub(r.options.Now()), time.Millisecond)}, nil
}

// requeueConflict has a Repository polled again soon when another client, such as Porch, wrote its status meanwhile.
func requeueConflict(err error) (reconcile.Result, error) {
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: slotRetry}, nil
	}
	return reconcile.Result{}, err
}

// begin says that a new Repository, or a new spec, is being polled. shared says that a Porch keeps the status.
func (r *Reconciler) begin(ctx context.Context, obj *porchconfig.Repository, shared bool) error {
	c := metav1.Condition{Type: porchconfig.ConditionReady, Status: metav1.ConditionFalse, Reason: reasonReconciling,
		Message: "fetching the repository"}
	if shared {
		c.Type = porchconfig.ConditionWaybillReady
	} else if obj.Status.ObservedGeneration == obj.Generation {
		return nil
	}
	return r.writeStatus(ctx, obj, shared, func(s *porchconfig.RepositoryStatus) {
		if meta.FindStatusCondition(s.Conditions, c.Type) == nil {
			live.SetCondition(&s.Conditions, c, r.options.Now())
		}
	})
}

// record logs what is new about a repository, and records it in events.
func (r *Reconciler) record(obj *porchconfig.Repository, result *pollResult, err error) {
	log := r.options.Log.WithValues("namespace", obj.Namespace, "repository", obj.Name)
	was := readyCondition(obj)
	now := result.ready(err, obj.Generation)
	switch {
	case was != nil && was.Status == now.Status && was.Message == now.Message:
	case now.Status == metav1.ConditionFalse:
		log.Info("repository is not ready", "error", now.Message)
		r.recorder.Warning(obj, now.Reason, "Poll", now.Message)
	default:
		log.Info("repository can be read", "packages", result.packages, "commit", result.commit)
	}
	was = meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionOverlapping)
	if result.overlap != "" && (was == nil || was.Message != live.TruncateTo(result.overlap, live.MaxMessage)) {
		log.Info("repository overlaps", "message", result.overlap)
		r.recorder.Warning(obj, porchconfig.ConditionOverlapping, "Poll", result.overlap)
	}
}

// writeStatus writes a status that has changed, and keeps what other clients changed meanwhile. A patch has a list of conditions as
// a whole: one that is shared is written only while it is as it was read.
func (r *Reconciler) writeStatus(ctx context.Context, obj *porchconfig.Repository, shared bool,
	change func(*porchconfig.RepositoryStatus)) error {
	if !r.options.Shard.Owns(obj) {
		return nil
	}
	before := obj.DeepCopy()
	change(&obj.Status)
	if equality.Semantic.DeepEqual(before.Status, obj.Status) {
		return nil
	}
	patch := client.MergeFrom(before)
	if shared {
		patch = client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	}
	return client.IgnoreNotFound(r.client.Status().Patch(ctx, obj, patch))
}
