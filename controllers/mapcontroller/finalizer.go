package mapcontroller

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ownFinalizer is the finalizer of MapControllers that have a finalize hook: one that is deleted takes its other
// finalizer from its parents first.
const ownFinalizer = waybill.Group + "/map"

// addFinalizers puts the controller's finalizer on all parents of this pass, before anything else is done for them,
// if there is a finalize hook; without one it removes what an earlier spec left. A parent that refuses it is held, and
// others are not.
func (p *pass) addFinalizers(ctx context.Context) error {
	wants, mine := p.prepared.Finalizes(), p.prepared.Finalizer()
	if self := p.worker.self.Object.Load(); wants && !live.HasFinalizer(self, ownFinalizer) {
		if err := p.worker.setOwnFinalizer(ctx, self, true); err != nil {
			return fmt.Errorf("put a finalizer on the MapController: %w", err)
		}
	}
	c := p.caches[p.prepared.parent]
	for _, o := range c.List() {
		selected := p.prepared.parents.Matches(labels.Set(o.Labels())) && !live.IsDeleting(o)
		if !covers(p.batch, o.Namespace()) || live.HasFinalizer(o, mine) == wants || wants && !selected {
			continue
		}
		if err := p.setFinalizer(ctx, c, o, mine, wants); err != nil {
			p.noteUnbound(o, wants, err)
		}
	}
	return nil
}

// noteUnbound notes a parent whose finalizer cannot be written.
func (p *pass) noteUnbound(o *krm.Object, wants bool, err error) {
	key := applyset.Key(o)
	p.unbound[key] = wants
	if errors.Is(err, live.ErrConflict) {
		p.conflicted = true
		return
	}
	p.unboundWhy[key] = fmt.Sprintf("map(%s): put the finalizer on it, or take it away: %v", key, p.redact(err))
}

// setFinalizer puts a finalizer on a parent, or removes it.
func (p *pass) setFinalizer(ctx context.Context, c *live.Cache, o *krm.Object, name string, on bool) error {
	end := c.BeginWrite(live.KeyOf(o))
	answer, err := live.SetFinalizer(ctx, p.server.Client(c.Resource, o.Namespace()), o, name, on)
	end(answer, p.worker)
	return err
}

// setOwnFinalizer puts the finalizer of MapControllers on this one, or removes it.
func (w *worker) setOwnFinalizer(ctx context.Context, o *krm.Object, on bool) error {
	answer, err := live.SetFinalizer(ctx, w.controller.server.Objects.Resource(mapControllers), o, ownFinalizer, on)
	if answer != nil {
		w.self.Object.CompareAndSwap(o, answer)
	}
	return err
}

// finalize does nothing more for a MapController that is being deleted but to release its parents and itself.
func (w *worker) finalize(ctx context.Context, o *krm.Object) {
	w.release()
	if err := w.releaseAll(ctx, o); err != nil && ctx.Err() == nil {
		w.writeConditions(ctx, &live.Fault{Reason: waybill.ReasonFailing, Message: "it cannot be let go: " + live.OneLine(err.Error())})
		w.self.Queue.AddAfter("", w.backoff.Next())
	}
}

// releaseAll takes the controller's finalizer from all parents, which nothing else would, and then the one of the
// MapController. Outputs stay, and no hook is asked.
func (w *worker) releaseAll(ctx context.Context, o *krm.Object) error {
	if !live.HasFinalizer(o, ownFinalizer) {
		return nil
	}
	k, ok, err := w.parentResource(o)
	if err != nil {
		return err
	}
	namespaces := w.controller.options.Namespaces
	if !k.Namespaced || len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		if !ok {
			break
		}
		if err := w.releaseParents(ctx, k, namespace); err != nil {
			return err
		}
	}
	return w.setOwnFinalizer(ctx, o, false)
}

// parentResource is the type of the parents of a MapController; false where it names none that is served.
func (w *worker) parentResource(o *krm.Object) (live.Resource, bool, error) {
	var decoded waybill.MapController
	if o.Decode(&decoded) != nil {
		return live.Resource{}, false, nil
	}
	t := decoded.Spec.ParentResource
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil {
		return live.Resource{}, false, nil
	}
	gvk, mapper := gv.WithKind(t.Kind), w.controller.server.Mapper()
	if t.Kind == "" {
		gvk, err = mapper.KindFor(gv.WithResource(t.Resource))
	}
	var found *meta.RESTMapping
	if err == nil {
		found, err = mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	}
	switch {
	case meta.IsNoMatchError(err):
		return live.Resource{}, false, nil
	case err != nil:
		return live.Resource{}, false, err
	}
	return live.Resource{GroupVersionResource: found.Resource, Namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace}, true, nil
}

// releaseParents takes the controller's finalizer from all parents of a namespace, or from all. A parent that refuses
// does not keep the others; the error is the first one.
func (w *worker) releaseParents(ctx context.Context, k live.Resource, namespace string) (first error) {
	mine := waybill.Group + "/" + w.name
	err := w.controller.server.Each(ctx, k, namespace, func(parent *krm.Object) {
		if !live.HasFinalizer(parent, mine) {
			return
		}
		_, err := live.SetFinalizer(ctx, w.controller.server.Client(k, parent.Namespace()), parent, mine, false)
		if err != nil && first == nil {
			first = fmt.Errorf("take the finalizer from %s: %w", parent.ID(), err)
		}
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("list the parents: %w", err)
	}
	return first
}
