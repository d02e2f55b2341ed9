package cluster

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// finalizer keeps a PackageVariant until its revisions are settled.
const finalizer = "config.porch.kpt.dev/packagevariants"

// writer writes PackageVariants: their finalizer, their status and their events. It writes over
// nothing that it has not seen.
type writer struct {
	client client.Client
	live   client.Reader
	events *events
	now    func() time.Time
}

// hold puts the finalizer on a variant. One that is changed or deleted meanwhile is an error.
func (w *writer) hold(ctx context.Context, pv *porchconfig.PackageVariant) error {
	before := pv.DeepCopy()
	if !controllerutil.AddFinalizer(pv, finalizer) {
		return nil
	}
	return w.client.Patch(ctx, pv, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// report writes what came of a variant into its status. One that is being deleted and went well is
// let go.
func (w *writer) report(ctx context.Context, pv *porchconfig.PackageVariant, rep packagevariant.Report) error {
	changed, err := w.status(ctx, pv, rep)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	w.tell(pv, rep, changed)
	if pv.DeletionTimestamp.IsZero() || rep.Err != nil {
		return nil
	}
	return client.IgnoreNotFound(w.release(ctx, pv))
}

// status writes the status where that makes a difference, and reports whether Ready says something
// else now. A variant that was given another spec meanwhile comes back by itself: what is known
// is not about that spec.
func (w *writer) status(ctx context.Context, pv *porchconfig.PackageVariant, rep packagevariant.Report) (changed bool, err error) {
	seen := pv
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if seen == nil {
			seen = &porchconfig.PackageVariant{}
			if err := w.live.Get(ctx, client.ObjectKeyFromObject(pv), seen); err != nil {
				return err
			}
		}
		if seen.UID != pv.UID || seen.Generation != pv.Generation {
			return nil
		}
		after := seen.DeepCopy()
		record(&after.Status, rep, w.now())
		if equality.Semantic.DeepEqual(seen.Status, after.Status) {
			return nil
		}
		changed = !sameReady(seen, after)
		err := w.client.Status().Patch(ctx, after, client.MergeFromWithOptions(seen, client.MergeFromWithOptimisticLock{}))
		if seen = nil; err == nil {
			after.DeepCopyInto(pv)
		}
		return err
	})
	return changed, err
}

// sameReady reports whether the same is said of both: of a spec that is wrong Stalled says what, and
// Ready always the same.
func sameReady(a, b *porchconfig.PackageVariant) bool {
	for _, kind := range []string{porchconfig.ConditionStalled, porchconfig.ConditionReady} {
		var said [2]metav1.Condition
		for i, pv := range []*porchconfig.PackageVariant{a, b} {
			if c := meta.FindStatusCondition(pv.Status.Conditions, kind); c != nil {
				said[i] = *c
			}
		}
		if said[0].Status != said[1].Status || said[0].Message != said[1].Message {
			return false
		}
	}
	return true
}

// release takes the finalizer away.
func (w *writer) release(ctx context.Context, pv *porchconfig.PackageVariant) error {
	seen := pv.DeepCopy()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if seen == nil {
			seen = &porchconfig.PackageVariant{}
			if err := w.live.Get(ctx, client.ObjectKeyFromObject(pv), seen); err != nil {
				return err
			}
		}
		before := seen.DeepCopy()
		if seen.UID != pv.UID || !controllerutil.RemoveFinalizer(seen, finalizer) {
			return nil
		}
		err := w.client.Patch(ctx, seen, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		if apierrors.IsConflict(err) {
			seen = nil
		}
		return err
	})
}

// tell makes events of what was done, and of trouble when it is new.
func (w *writer) tell(pv *porchconfig.PackageVariant, rep packagevariant.Report, changed bool) {
	switch {
	case rep.Action == packagevariant.Created:
		w.events.say(pv, "DraftCreated", "Create", rep.Draft+": "+rep.Message)
	case rep.Action == packagevariant.Updated && pv.DeletionTimestamp.IsZero():
		w.events.say(pv, "Updated", "Update", rep.Message)
	case rep.Action == packagevariant.Updated:
		w.events.say(pv, "Retired", "Retire", rep.Message)
	case rep.Err == nil && len(rep.Kept) > 0 && !pv.DeletionTimestamp.IsZero():
		w.events.warn(pv, "Kept", "Retire", rep.Message)
	case rep.Err != nil && changed && rep.Action == packagevariant.Kept:
		w.events.warn(pv, "Kept", "Reconcile", rep.Message)
	case rep.Err != nil && changed && rep.Action == packagevariant.Blocked:
		w.events.warn(pv, "Blocked", "Reconcile", rep.Message)
	case rep.Err != nil && changed:
		w.events.warn(pv, "Failed", "Reconcile", rep.Message)
	}
}
