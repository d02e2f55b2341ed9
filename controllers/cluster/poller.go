package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// poller looks at every repository on time and writes what it saw into the Repository's status.
type poller struct {
	client       client.Client
	repositories *repositories
	options      Options
	events       *events
	seats        *seats
}

// add makes the poller a controller of m. What it writes is status alone, and brings no other look.
// Names need not be new: several managers may run in one process.
func (p *poller) add(m manager.Manager) error {
	return builder.ControllerManagedBy(m).Named("repository").
		For(&porchconfig.Repository{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: p.seats.all, SkipNameValidation: new(true)}).
		WithLogConstructor(func(*reconcile.Request) logr.Logger { return p.options.Log }).
		Complete(p)
}

// Reconcile looks at one repository and says when to look again.
func (p *poller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var obj porchconfig.Repository
	if err := p.client.Get(ctx, req.NamespacedName, &obj); apierrors.IsNotFound(err) {
		p.repositories.gone(ctx, req.NamespacedName)
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	leave, ok := p.seats.take(&obj)
	if !ok {
		return reconcile.Result{RequeueAfter: noSeat}, nil
	}
	defer leave()
	if err := p.begin(ctx, &obj); err != nil {
		return reconcile.Result{}, err
	}
	seen, err := p.see(ctx, &obj)
	if ctx.Err() != nil || absent(err) {
		return reconcile.Result{}, errors.Join(err, ctx.Err())
	}
	p.tell(&obj, &seen, err)
	p.tellOverlap(&obj, &seen)
	next := seen.next
	if err != nil {
		next = p.options.Now().Add(p.repositories.pause(req.NamespacedName))
	}
	if err := p.write(ctx, &obj, func(s *porchconfig.RepositoryStatus) { seen.record(s, &obj, err, next) }); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: max(next.Sub(p.options.Now()), time.Millisecond)}, nil
}

// begin says that a repository is being looked at for the first time in this form.
func (p *poller) begin(ctx context.Context, obj *porchconfig.Repository) error {
	if obj.Status.ObservedGeneration == obj.Generation {
		return nil
	}
	return p.write(ctx, obj, func(s *porchconfig.RepositoryStatus) {
		c := metav1.Condition{Type: porchconfig.ConditionReady, Status: metav1.ConditionFalse, Reason: reasonReconciling,
			Message: "looking at the repository"}
		if meta.FindStatusCondition(s.Conditions, c.Type) == nil {
			setCondition(&s.Conditions, c, p.options.Now())
		}
	})
}

// tell says in an event and in the log what is new about a repository's condition.
func (p *poller) tell(obj *porchconfig.Repository, s *seen, err error) {
	was := meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionReady)
	now := s.condition(err, obj.Generation)
	if was != nil && was.Status == now.Status && was.Message == now.Message {
		return
	}
	log := p.options.Log.WithValues("namespace", obj.Namespace, "repository", obj.Name)
	if now.Status == metav1.ConditionFalse {
		log.Info("repository is not ready", "error", now.Message)
		p.events.warn(obj, now.Reason, "Look", now.Message)
		return
	}
	log.Info("repository can be read", "packages", s.packages, "commit", s.commit)
}

// tellOverlap warns of other Repositories that show the same, once for each that is new.
func (p *poller) tellOverlap(obj *porchconfig.Repository, s *seen) {
	was := meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionOverlapping)
	if s.overlap == "" || was != nil && was.Message == bounded(s.overlap, mostMessage) {
		return
	}
	p.options.Log.Info("repository overlaps", "namespace", obj.Namespace, "repository", obj.Name, "message", s.overlap)
	p.events.warn(obj, porchconfig.ConditionOverlapping, "Look", s.overlap)
}

// write changes the status, if that makes a difference. Whoever else changed the object meanwhile
// keeps what he wrote.
func (p *poller) write(ctx context.Context, obj *porchconfig.Repository, change func(*porchconfig.RepositoryStatus)) error {
	before := obj.DeepCopy()
	change(&obj.Status)
	if equality.Semantic.DeepEqual(before.Status, obj.Status) {
		return nil
	}
	return client.IgnoreNotFound(p.client.Status().Patch(ctx, obj, client.MergeFrom(before)))
}
