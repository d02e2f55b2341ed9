package publishedresource

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ownFinalizer is the finalizer of PublishedResources: when one is deleted, its other finalizer is removed from objects at
// the source first.
const ownFinalizer = waybill.Group + "/sync"

// setOwnFinalizer adds the finalizer of PublishedResources to this one, or removes it.
func (w *worker) setOwnFinalizer(ctx context.Context, o *krm.Object, on bool) error {
	if live.HasFinalizer(o, ownFinalizer) == on {
		return nil
	}
	answer, err := live.SetFinalizer(ctx, w.controller.home.Objects.Resource(publishedResources), o, ownFinalizer, on)
	if answer != nil {
		w.self.Object.CompareAndSwap(o, answer)
	}
	return err
}

// finalize releases the objects of a PublishedResource that is being deleted, and the PublishedResource itself.
func (w *worker) finalize(ctx context.Context, o *krm.Object) {
	w.release()
	if err := w.releaseSelf(ctx, o); err != nil && ctx.Err() == nil {
		w.writeConditions(ctx, &live.Fault{Reason: waybill.ReasonFailing, Message: "it cannot be released: " + live.OneLine(err.Error())})
		w.self.Queue.AddAfter("", w.backoff.Next())
	}
}

// releaseSelf removes the finalizer from objects at the source, deletes what was last applied, and releases the
// PublishedResource. Copies stay.
func (w *worker) releaseSelf(ctx context.Context, o *krm.Object) error {
	if !live.HasFinalizer(o, ownFinalizer) {
		return nil
	}
	if config, err := waybill.ReadPublishedResource(o); err == nil { // one that cannot be read was never reconciled as it is
		if err := w.releaseAll(ctx, config); err != nil {
			return err
		}
		secrets, err := w.listSecrets(ctx, apisync.ControllerOf(config))
		if err != nil {
			return err
		}
		for i := range secrets {
			if err := w.deleteSecret(ctx, &secrets[i]); err != nil {
				return err
			}
		}
	}
	return w.setOwnFinalizer(ctx, o, false)
}

// releaseAll removes the finalizer of a PublishedResource from all primaries and related objects, in all workspaces.
func (w *worker) releaseAll(ctx context.Context, config *waybill.PublishedResource) (first error) {
	var origins []schema.GroupVersionResource
	for i := range config.Spec.Related {
		if e := &config.Spec.Related[i]; e.FromSource() {
			origins = append(origins, e.OriginType())
		}
	}
	for _, s := range w.controller.workspaces {
		types := slices.Clone(origins)
		m, err := s.Mapper().RESTMapping(apisync.RemoteKind(config))
		switch {
		case err == nil:
			types = append(types, m.Resource)
		case !meta.IsNoMatchError(err):
			first = cmp.Or(first, fmt.Errorf("the workspace %s does not say which types it serves: %w", s.Name, err))
		}
		first = cmp.Or(first, s.removeFinalizers(ctx, apisync.FinalizerOf(config), types...))
	}
	return first
}

// removeFinalizers removes a finalizer from all objects of some types. An object that refuses does not keep the others; the
// error is the first one.
func (s *server) removeFinalizers(ctx context.Context, finalizer string, types ...schema.GroupVersionResource) (first error) {
	for _, of := range types {
		err := s.Each(ctx, live.Resource{GroupVersionResource: of}, "", func(o *krm.Object) {
			if !live.HasFinalizer(o, finalizer) {
				return
			}
			client := s.Client(live.Resource{GroupVersionResource: of, Namespaced: o.Namespace() != ""}, o.Namespace())
			if _, err := live.SetFinalizer(ctx, client, o, finalizer, false); err != nil && first == nil {
				first = fmt.Errorf("workspace %s: remove the finalizer from %s: %s", s.Name, o.ID(), reasonOf(err))
			}
		})
		if err != nil && !apierrors.IsNotFound(err) && first == nil {
			first = fmt.Errorf("workspace %s: list %s: %w", s.Name, of.GroupResource(), err)
		}
	}
	return first
}

// releaseOldTypes removes the finalizer from objects of types that the PublishedResource named before it was changed, and
// does not name now.
func (w *worker) releaseOldTypes(ctx context.Context, before, after *prepared) *live.Fault {
	if before == nil {
		return nil
	}
	kept := map[schema.GroupResource]bool{}
	for _, k := range append(after.originTypes(), after.remote) {
		kept[k.GroupResource()] = true
	}
	var old []schema.GroupVersionResource
	for _, k := range append(before.originTypes(), before.remote) {
		if !kept[k.GroupResource()] {
			old = append(old, k.GroupVersionResource)
		}
	}
	var first error
	for _, s := range w.controller.workspaces {
		first = cmp.Or(first, s.removeFinalizers(ctx, before.rule.Finalizer(), old...))
	}
	if first == nil {
		return nil
	}
	return notReleased(first)
}

func notReleased(err error) *live.Fault {
	return &live.Fault{Reason: waybill.ReasonUnavailable, Message: "finalizers cannot be removed: " + live.OneLine(err.Error())}
}
