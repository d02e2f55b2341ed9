package mapcontroller

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ownFinalizer is the finalizer of MapControllers that have a finalize hook: before one is deleted, the controller removes
// its other finalizer from its parents.
const ownFinalizer = waybill.Group + "/map"

// addFinalizers adds the MapController's finalizer to all parents of this pass, before anything else is done for them, if
// there is a finalize hook; without a hook it removes the finalizer that an earlier spec added. If a parent cannot be
// written, the pass holds that parent alone.
func (p *pass) addFinalizers(ctx context.Context) error {
	wants, mine := p.prepared.Finalizes(), p.prepared.Finalizer()
	if self := p.worker.self.Object.Load(); wants && !live.HasFinalizer(self, ownFinalizer) {
		if err := p.worker.setOwnFinalizer(ctx, self, true); err != nil {
			return fmt.Errorf("add a finalizer to the MapController: %w", err)
		}
	}
	c := p.caches[p.prepared.parent]
	for _, o := range c.List() {
		selected := p.prepared.Selects(o) && !live.IsDeleting(o)
		if !covers(p.batch, o.Namespace()) || live.HasFinalizer(o, mine) == wants || wants && !selected {
			continue
		}
		if err := p.setFinalizer(ctx, c, o, mine, wants); err != nil {
			p.noteUnwritable(o, wants, err)
		}
	}
	return nil
}

// noteUnwritable notes a parent whose finalizer cannot be written.
func (p *pass) noteUnwritable(o *krm.Object, wants bool, err error) {
	key := applyset.Key(o)
	p.unwritable[key] = wants
	if errors.Is(err, live.ErrConflict) {
		p.conflicted = true
		return
	}
	p.unwritableWhy[key] = fmt.Sprintf("map(%s): add or remove the finalizer: %v", key, p.redact(err))
}

// setFinalizer adds a finalizer to a parent, or removes it.
func (p *pass) setFinalizer(ctx context.Context, c *live.Cache, o *krm.Object, name string, on bool) error {
	end := c.BeginWrite(live.KeyOf(o))
	answer, err := live.SetFinalizer(ctx, p.server.Client(c.Resource, o.Namespace()), o, name, on)
	end(answer, p.worker)
	return err
}

// setOwnFinalizer adds the finalizer of MapControllers to this one, or removes it.
func (w *worker) setOwnFinalizer(ctx context.Context, o *krm.Object, on bool) error {
	answer, err := live.SetFinalizer(ctx, w.controller.server.Objects.Resource(mapControllers), o, ownFinalizer, on)
	if answer != nil {
		w.self.Object.CompareAndSwap(o, answer)
	}
	return err
}

// finalize releases a MapController that is being deleted, and its parents.
func (w *worker) finalize(ctx context.Context, o *krm.Object) {
	w.release()
	if err := w.releaseAll(ctx, o); err != nil && ctx.Err() == nil {
		w.writeConditions(ctx, &live.Fault{Reason: waybill.ReasonFailing, Message: "it cannot be released: " + live.OneLine(err.Error())})
		w.self.Queue.AddAfter("", w.backoff.Next())
	}
}

// releaseAll removes the MapController's finalizer from all parents, as nothing else would, and then the finalizer of the
// MapController itself. Outputs stay, and no hook is called.
func (w *worker) releaseAll(ctx context.Context, o *krm.Object) error {
	if !live.HasFinalizer(o, ownFinalizer) {
		return nil
	}
	k, served, err := w.parentResource(o)
	if err == nil && served {
		err = w.releaseParents(ctx, k)
	}
	if err != nil {
		return err
	}
	return w.setOwnFinalizer(ctx, o, false)
}

// parentResource is the type of the parents of a MapController; false when it names none that is served.
func (w *worker) parentResource(o *krm.Object) (k live.Resource, served bool, err error) {
	var decoded waybill.MapController
	if o.Decode(&decoded) != nil {
		return k, false, nil
	}
	t := decoded.Spec.ParentResource
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil {
		return k, false, nil
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
		return k, false, nil
	case err != nil:
		return k, false, err
	}
	return live.Resource{GroupVersionResource: found.Resource, Namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace}, true, nil
}

// releaseParents removes the MapController's finalizer from all parents. It goes on after a parent that cannot be written;
// the error is the first one.
func (w *worker) releaseParents(ctx context.Context, k live.Resource) (first error) {
	namespaces, mine := w.controller.options.Namespaces, waybill.Group+"/"+w.name
	if !k.Namespaced || len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	release := func(parent *krm.Object) {
		if !live.HasFinalizer(parent, mine) {
			return
		}
		_, err := live.SetFinalizer(ctx, w.controller.server.Client(k, parent.Namespace()), parent, mine, false)
		if err != nil && first == nil {
			first = fmt.Errorf("remove the finalizer from %s: %w", parent.ID(), err)
		}
	}
	for _, namespace := range namespaces {
		err := w.controller.server.Each(ctx, k, namespace, release)
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("list the parents: %w", err)
		}
		if first != nil {
			return first
		}
	}
	return nil
}
