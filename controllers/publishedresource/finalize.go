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

// ownFinalizer is the finalizer of PublishedResources: one that is deleted takes its other finalizer from objects at the
// source first.
const ownFinalizer = waybill.Group + "/sync"

// setOwnFinalizer puts the finalizer of PublishedResources on this one, or removes it.
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

// finalize does nothing more for a PublishedResource that is being deleted but to release objects and itself.
func (w *worker) finalize(ctx context.Context, o *krm.Object) {
	w.release()
	if err := w.releaseSelf(ctx, o); err != nil && ctx.Err() == nil {
		w.writeConditions(ctx, &live.Fault{Reason: waybill.ReasonFailing, Message: "it cannot be let go: " + live.OneLine(err.Error())})
		w.self.Queue.AddAfter("", w.backoff.Next())
	}
}

// releaseSelf takes the finalizer from objects at the source, deletes what was last applied, and releases the
// PublishedResource. Copies stay.
func (w *worker) releaseSelf(ctx context.Context, o *krm.Object) error {
	if !live.HasFinalizer(o, ownFinalizer) {
		return nil
	}
	if config, err := waybill.ReadPublishedResource(o); err == nil { // one that cannot be read was never reconciled as it is
		if err := w.releaseAll(ctx, config); err != nil {
			return err
		}
		if err := w.deleteSecrets(ctx, apisync.ControllerOf(config)); err != nil {
			return err
		}
	}
	return w.setOwnFinalizer(ctx, o, false)
}

// remoteKind is what primaries are called at the source.
func remoteKind(config *waybill.PublishedResource) schema.GroupKind {
	gk := schema.GroupKind{Group: config.Spec.Resource.APIGroup, Kind: config.Spec.Resource.Kind}
	if p := config.Spec.Projection; p != nil {
		gk.Group, gk.Kind = cmp.Or(p.Group, gk.Group), cmp.Or(p.Kind, gk.Kind)
	}
	return gk
}

// releaseAll takes the finalizer of a PublishedResource from all primaries and related objects, in all workspaces. An object
// that refuses does not keep the others; the error is the first one.
func (w *worker) releaseAll(ctx context.Context, config *waybill.PublishedResource) (first error) {
	var origins []schema.GroupVersionResource
	for i := range config.Spec.Related {
		if e := &config.Spec.Related[i]; e.FromSource() {
			origins = append(origins, e.OriginType())
		}
	}
	for _, s := range w.controller.workspaces {
		types := slices.Clone(origins)
		m, err := s.Mapper().RESTMapping(remoteKind(config))
		switch {
		case err == nil:
			types = append(types, m.Resource)
		case !meta.IsNoMatchError(err):
			first = cmp.Or(first, fmt.Errorf("the workspace %s does not say what there is: %w", s.Name, err))
		}
		for _, of := range types {
			if err := s.removeFinalizers(ctx, of, apisync.FinalizerOf(config)); err != nil && first == nil {
				first = fmt.Errorf("workspace %s: %w", s.Name, err)
			}
		}
	}
	return first
}

// removeFinalizers takes a finalizer from all objects of a type.
func (s *server) removeFinalizers(ctx context.Context, of schema.GroupVersionResource, finalizer string) (first error) {
	err := s.Each(ctx, live.Resource{GroupVersionResource: of}, "", func(o *krm.Object) {
		if !live.HasFinalizer(o, finalizer) {
			return
		}
		client := s.Client(live.Resource{GroupVersionResource: of, Namespaced: o.Namespace() != ""}, o.Namespace())
		if _, err := live.SetFinalizer(ctx, client, o, finalizer, false); err != nil && first == nil {
			first = fmt.Errorf("take the finalizer from %s: %s", o.ID(), reasonOf(err))
		}
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("list %s: %w", of.GroupResource(), err)
	}
	return first
}

// releaseOldTypes takes the finalizer from objects of types that the PublishedResource named before it was changed, and
// does not name now.
func (w *worker) releaseOldTypes(ctx context.Context, before, after *prepared) (first *live.Fault) {
	if before == nil {
		return nil
	}
	finalizer := before.rule.Finalizer()
	kept := map[schema.GroupResource]bool{after.remote.GroupResource(): true}
	for _, k := range after.originKinds() {
		kept[k.GroupResource()] = true
	}
	for _, s := range w.controller.workspaces {
		for _, k := range append(before.originKinds(), before.remote) {
			if kept[k.GroupResource()] {
				continue
			}
			if err := s.removeFinalizers(ctx, k.GroupVersionResource, finalizer); err != nil && first == nil {
				first = &live.Fault{Reason: waybill.ReasonUnavailable, Message: "finalizers cannot be taken away: " + live.OneLine(err.Error())}
			}
		}
	}
	return first
}
