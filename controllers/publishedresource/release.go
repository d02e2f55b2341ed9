package publishedresource

import (
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

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
			for _, o := range c.ByIndex(byFinalizer, p.prepared.rule.Finalizer()) {
				key := applyset.KeyIn(s.Name, o.ID())
				if ctx.Err() != nil || p.isCopied(key) || !live.IsDeleting(o) && (held.Has(key) || inDoubt()) {
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

// isCopied reports whether copies of an origin exist at the destination.
func (p *pass) isCopied(origin string) bool {
	return slices.ContainsFunc(p.prepared.related, func(rel relation) bool {
		return rel.FromSource && slices.ContainsFunc(p.prepared.cache("", rel.copied).ByIndex(byInput, origin), func(o *krm.Object) bool {
			return applyset.TagsOf(o).Controller == p.prepared.rule.Controller()
		})
	})
}
