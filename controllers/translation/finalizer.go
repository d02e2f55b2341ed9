package translation

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// finalize removes the finalizer from deleted Translations that have nothing left in the inventory.
func (w *round) finalize(ctx context.Context, now *inventory.Inventory) {
	r, owning := w.r, owners(now)
	for _, key := range slices.Sorted(maps.Keys(w.snapshot)) {
		o := w.snapshot[key]
		uid := string(o.object.GetUID())
		if _, owns := slices.BinarySearch(owning, key); !o.deleting || owns || r.finalized[uid] {
			continue
		}
		if r.reported[key] != deletionPushed+uid {
			r.reported[key] = deletionPushed + uid
			r.event(o, corev1.EventTypeNormal, deletionPushed, "Delete", "the backend has no resource of it any more")
		}
		if err := r.removeFinalizer(ctx, o); err != nil {
			w.notFinalized++
			r.options.Log.Info("a finalizer cannot be removed", "translation", key, "reason", err.Error())
			r.event(o, corev1.EventTypeWarning, finalizerError, "Delete", err.Error())
			continue
		}
		r.finalized[uid] = true
	}
}

// removeFinalizer removes the first of ours, on condition that no client has changed the Translation since.
func (r *reconciler) removeFinalizer(ctx context.Context, o *observed) error {
	finalizers := o.object.GetFinalizers()
	at := slices.Index(finalizers, midonet.Finalizer)
	if at < 0 {
		return nil
	}
	obj := o.object.DeepCopy()
	obj.SetFinalizers(slices.Delete(finalizers, at, at+1)) // GetFinalizers returned a copy
	return client.IgnoreNotFound(r.client.Update(ctx, obj))
}
