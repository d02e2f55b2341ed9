package pusher

import (
	"context"
	"maps"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// release takes the finalizer from the Translations that go away and of which nothing is left.
func (w *work) release(ctx context.Context, now *inventory.Inventory) {
	left := map[string]bool{}
	for _, key := range recorded(now) {
		left[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(w.seen)) {
		s := w.seen[key]
		uid := string(s.object.GetUID())
		if !s.dying || left[key] || w.released[uid] {
			continue
		}
		if w.said[key] != deletionPushed+uid {
			w.said[key] = deletionPushed + uid
			w.tell.say(s.object, deletionPushed, "Delete", "the backend has nothing of it any more")
		}
		if err := w.takeFinalizer(ctx, s); err != nil {
			w.unreleased++
			w.options.Log.Info("a finalizer cannot be taken away", "translation", key, "reason", err.Error())
			w.tell.warn(s.object, finalizerError, "Delete", err.Error())
			continue
		}
		w.released[uid] = true
	}
}

// takeFinalizer takes the first of ours away, on condition that nobody has changed the Translation since it
// was seen.
func (w *work) takeFinalizer(ctx context.Context, s *seen) error {
	finalizers := s.object.GetFinalizers()
	at := slices.Index(finalizers, midonet.Finalizer)
	if at < 0 {
		return nil
	}
	o := s.object.DeepCopy()
	o.SetFinalizers(slices.Delete(slices.Clone(finalizers), at, at+1))
	return client.IgnoreNotFound(w.objects.Update(ctx, o))
}
