package publishedresource

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
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
	for _, s := range w.controller.workspaces {
		types := apisync.OriginResources(config)
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
	return notReleased(first)
}

func notReleased(err error) *live.Fault {
	if err == nil {
		return nil
	}
	return &live.Fault{Reason: waybill.ReasonUnavailable, Message: "finalizers cannot be removed: " + live.OneLine(err.Error())}
}

// release removes the finalizer from related objects at the source that no primary needs any more: they have no copy
// left, and either they are being deleted, or all primaries of their workspace are known not to refer to them. No primary
// is reconciled meanwhile.
func (p *pass) release(ctx context.Context) {
	if p.cacheErr("") != nil { // copies that the caches lack may exist
		return
	}
	held, undecided := p.memory.relevance.Origins()
	for _, s := range p.workspaces {
		if p.workspaceErrs[s.Name] != nil {
			continue
		}
		inDoubt := sync.OnceValue(func() bool { return undecided.Has(s.Name) || !p.allReconciled(s) })
		for _, k := range p.prepared.originTypes() {
			c := p.prepared.cache(s.Name, k)
			for _, o := range c.ByIndex(relevance.ByFinalizer, p.prepared.rule.Finalizer()) {
				key := applyset.KeyIn(s.Name, o.ID())
				if ctx.Err() != nil || p.hasCopies(relevance.ByInput, key) || !live.IsDeleting(o) && (held.Has(key) || inDoubt()) {
					continue
				}
				if err := p.setFinalizer(ctx, c, o, false); err != nil {
					p.options.Log.Info("a finalizer cannot be removed", "publishedresource", p.worker.name, "object", key,
						"reason", live.OneLine(describe("remove the finalizer", o.ID(), err).Error()))
					p.queue.AddAfter("", p.options.FirstRetry)
				}
			}
		}
	}
}

// allReconciled reports whether all primaries of a workspace had a round.
func (p *pass) allReconciled(s *server) bool {
	recorded := sets.New(p.memory.relevance.Recorded()...)
	return !slices.ContainsFunc(p.prepared.cache(s.Name, p.prepared.remote).List(), func(o *krm.Object) bool {
		return !recorded.Has(applyset.KeyIn(s.Name, o.ID()))
	})
}
