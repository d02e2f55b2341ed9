package publishedresource

import (
	"context"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// due are the primaries that this pass reconciles: those of the batch that exist, and those that are gone and whose
// copies may be deleted.
func (p *pass) due(ctx context.Context) ([]string, error) {
	existing, missing := p.find()
	p.confirmAbsences(ctx, missing, existing)
	due := sets.List(existing.Union(p.gone))
	if p.prepared.config.Spec.MaxDeletions == nil {
		return due, nil
	}
	return p.withinLimit(ctx, due)
}

// find returns the primaries of the batch that exist, and those that do not, though their workspace is known: of the
// batch, and in a pass over all those that have copies. It forgets primaries that do not exist any more.
func (p *pass) find() (existing sets.Set[string], missing []string) {
	wanted := sets.KeySet(p.batch.Keys)
	known := wanted.Clone()
	if p.batch.All {
		for o := range p.copies() {
			wanted.Insert(applyset.TagsOf(o).Owner)
		}
		known = wanted.Union(sets.New(p.memory.relevance.Recorded()...))
		p.memory.update(func() { known = known.Union(sets.KeySet(p.memory.failing)) })
		for _, s := range p.workspaces {
			for _, o := range p.prepared.cache(s.Name, p.prepared.remote).List() {
				known.Insert(applyset.KeyIn(s.Name, o.ID()))
			}
		}
	}
	existing = sets.Set[string]{}
	for _, key := range sets.List(known) {
		switch c := p.cacheOf(key); {
		case c == nil:
		case c.Get(keyOf(refOf(key))) != nil:
			existing.Insert(key)
		default:
			p.memory.forget(key)
			if wanted.Has(key) {
				missing = append(missing, key)
			}
		}
	}
	return existing, missing
}

// cacheOf is the cache that holds a primary, if it exists; nil where that is not known.
func (p *pass) cacheOf(key string) *live.Cache {
	ref := refOf(key)
	if ref.Place == "" || p.workspaceErrs[ref.Place] != nil || apisync.RoleOf(ref).GroupKind != p.prepared.remoteGK {
		return nil
	}
	return p.prepared.cache(ref.Place, p.prepared.remote)
}

// copies are the copies that this PublishedResource made.
func (p *pass) copies() iter.Seq[*krm.Object] {
	return func(yield func(*krm.Object) bool) {
		for c := range p.copyCaches() {
			for _, o := range c.List() {
				if p.prepared.rule.Made(c.Server.Name, o) && !yield(o) {
					return
				}
			}
		}
	}
}

// hasCopies reports whether copies of a primary, relevance.ByOwner, or of an origin, relevance.ByInput, are left.
func (p *pass) hasCopies(index, key string) bool {
	for c := range p.copyCaches() {
		isOurs := func(o *krm.Object) bool { return p.prepared.rule.Made(c.Server.Name, o) }
		if slices.ContainsFunc(c.ByIndex(index, key), isOurs) {
			return true
		}
	}
	return false
}

// copyCaches are the caches that may hold copies.
func (p *pass) copyCaches() sets.Set[*live.Cache] {
	all := sets.New(p.prepared.cache("", p.prepared.local))
	for _, rel := range p.prepared.related {
		if rel.FromSource {
			all.Insert(p.prepared.cache("", rel.copied))
			continue
		}
		for _, s := range p.workspaces {
			all.Insert(p.prepared.cache(s.Name, rel.copied))
		}
	}
	return all.Delete(nil)
}
