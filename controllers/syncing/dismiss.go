package syncing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// keeper is the finalizer of PublishedResources: while one has it, objects at the source are not left with finalizers
// that nobody would take away.
const keeper = waybill.Group + "/sync"

// keep puts the finalizer of PublishedResources on this one, or takes it away.
func (w *worker) keep(ctx context.Context, o *krm.Object, on bool) error {
	if slices.Contains(finalizersOf(o), keeper) == on {
		return nil
	}
	made, err := refinalize(ctx, w.home.Objects.Resource(publishedResources), o, keeper, on)
	if err != nil || made == nil {
		return err
	}
	answer, err := objectOf(made)
	if err == nil {
		w.object.CompareAndSwap(o, answer)
	}
	return err
}

// dismiss lets a PublishedResource go: objects at the source lose its finalizer, and what was last applied is
// forgotten. Copies stay.
func (w *worker) dismiss(ctx context.Context, o *krm.Object) error {
	if !slices.Contains(finalizersOf(o), keeper) {
		return nil
	}
	config, err := waybill.ReadPublishedResource(o)
	if err == nil {
		err = w.unbind(ctx, config, w.originsOf(config))
		if err == nil {
			err = w.forgetLedgers(ctx, syncing.ControllerOf(config))
		}
		if err != nil {
			return err
		}
	} // what cannot be read was never worked as it is
	return w.keep(ctx, o, false)
}

// originsOf are the types at the source whose objects may have the finalizer, but for primaries.
func (w *worker) originsOf(config *waybill.PublishedResource) (all []schema.GroupVersionResource) {
	for i := range config.Spec.Related {
		if e := &config.Spec.Related[i]; e.FromSource() {
			all = append(all, e.OriginType())
		}
	}
	return all
}

// remoteKind is what primaries are called at the source.
func remoteKind(config *waybill.PublishedResource) schema.GroupKind {
	gk := schema.GroupKind{Group: config.Spec.Resource.APIGroup, Kind: config.Spec.Resource.Kind}
	if p := config.Spec.Projection; p != nil {
		gk.Group, gk.Kind = cmp.Or(p.Group, gk.Group), cmp.Or(p.Kind, gk.Kind)
	}
	return gk
}

// unbind takes the finalizer of a PublishedResource from all primaries, and from related objects of some types, in all
// workspaces. One that refuses does not keep others: the error is the first.
func (w *worker) unbind(ctx context.Context, config *waybill.PublishedResource, origins []schema.GroupVersionResource) (first error) {
	for _, s := range w.workspaces {
		types := slices.Clone(origins)
		m, err := s.Mapper.RESTMapping(remoteKind(config))
		switch {
		case err == nil:
			types = append(types, m.Resource)
		case !meta.IsNoMatchError(err):
			first = cmp.Or(first, fmt.Errorf("the workspace %s does not say what there is: %w", s.name, err))
		}
		for _, of := range types {
			if err := s.unbind(ctx, of, syncing.FinalizerOf(config)); err != nil && first == nil {
				first = fmt.Errorf("workspace %s: %w", s.name, err)
			}
		}
	}
	return first
}

// unbind takes a finalizer from all objects of a type.
func (s *server) unbind(ctx context.Context, of schema.GroupVersionResource, finalizer string) (first error) {
	for o := (metav1.ListOptions{Limit: 500}); ; {
		list, err := s.Objects.Resource(of).List(ctx, o)
		if apierrors.IsNotFound(err) {
			return first
		}
		if err != nil {
			return fmt.Errorf("list %s: %w", of.GroupResource(), err)
		}
		for i := range list.Items {
			one, err := objectOf(&list.Items[i])
			if err == nil && slices.Contains(finalizersOf(one), finalizer) {
				_, err = refinalize(ctx, s.resource(kind{of, one.Namespace() != ""}, one.Namespace()), one, finalizer, false)
			}
			if err != nil && first == nil {
				first = fmt.Errorf("take the finalizer from %s: %s", one.ID(), reasonOf(err))
			}
		}
		if o.Continue = list.GetContinue(); o.Continue == "" {
			return first
		}
	}
}

// forgetLedgers deletes all that was last applied by a PublishedResource.
func (w *worker) forgetLedgers(ctx context.Context, controller string) error {
	list, err := w.ledgers().List(ctx, metav1.ListOptions{LabelSelector: stateLabel + "=true"})
	if err != nil {
		return fmt.Errorf("list what was last applied: %w", err)
	}
	for i := range list.Items {
		s, err := secretOf(&list.Items[i])
		if err != nil || s.Annotations[ledgerController] != controller {
			continue
		}
		if err := deleteLedger(ctx, w, s); err != nil {
			return err
		}
	}
	return nil
}

// giveUp takes the finalizer from objects of types that the PublishedResource named before it was changed, and names
// no more.
func (w *worker) giveUp(ctx context.Context, before, after *ready) (first *fault) {
	if before == nil {
		return nil
	}
	finalizer := before.rule.Finalizer()
	kept := map[schema.GroupResource]bool{after.remote.GroupResource(): true}
	for _, k := range after.originKinds() {
		kept[k.GroupResource()] = true
	}
	for _, s := range w.workspaces {
		for _, k := range append(before.originKinds(), before.remote) {
			if kept[k.GroupResource()] {
				continue
			}
			if err := s.unbind(ctx, k.GroupVersionResource, finalizer); err != nil && first == nil {
				first = &fault{reason: waybill.ReasonUnavailable, message: "finalizers cannot be taken away: " + oneLine(err.Error())}
			}
		}
	}
	return first
}
