package publishedresource

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
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

// confirmAbsences decides about the copies of primaries that do not exist. Where the view is partial they stay. Otherwise
// it asks the workspace for each primary, and does not rely on a workspace that has no object of the type at all.
func (p *pass) confirmAbsences(ctx context.Context, missing []string, existing sets.Set[string]) {
	refused := ""
	for _, key := range missing {
		c := p.cacheOf(key)
		if !p.prepared.config.Complete() || c == nil {
			continue
		}
		o, err := c.Server.Find(ctx, p.prepared.remote, keyOf(refOf(key)))
		switch {
		case err != nil: // other workspaces are reconciled all the same
			p.workspaceErrs[c.Server.Name] = fmt.Errorf("ask for %s: %w", key, err)
		case o != nil:
			c.Put(o, p.worker)
			existing.Insert(key)
		case c.Len() == 0 && !p.prepared.config.Spec.AllowEmpty && p.hasCopies(relevance.ByOwner, key):
			refused = cmp.Or(refused, fmt.Sprintf("there is no %s at all in the workspace %s, but there are copies; "+
				"they stay unless allowEmpty is set", p.prepared.remoteGK.Kind, c.Server.Name))
		default:
			p.gone.Insert(key)
		}
	}
	if p.batch.All {
		p.memory.update(func() { p.memory.refused, p.memory.detached = refused, len(missing) })
	}
}

// withinLimit plans the first round of each primary, and leaves out those whose copies would be deleted though no consumer
// asked for that, where these are more than maxDeletions allows: primaries that are gone or that the filter excludes, and
// objects that are not related any more. What consumers delete themselves is not counted.
func (p *pass) withinLimit(ctx context.Context, due []string) ([]string, error) {
	deletions, total, losing := 0, 0, sets.Set[string]{}
	for _, key := range due {
		n, err := p.plan(ctx, key)
		if err != nil {
			return nil, err
		}
		if deletions += n; n > 0 {
			losing.Insert(key)
		}
	}
	for range p.copies() {
		total++
	}
	limit := p.prepared.rule.Limit()
	if limit.Allows(deletions, total) {
		return due, nil
	}
	p.memory.update(func() {
		p.memory.refused = fmt.Sprintf("%d of %d copies would be deleted, more than maxDeletions, %s, allows; they stay", deletions, total, limit)
	})
	return slices.DeleteFunc(due, losing.Has), nil
}

// plan plans the first round of a primary that is not being deleted, and counts the copies that it would delete.
func (p *pass) plan(ctx context.Context, key string) (deletions int, err error) {
	l, err := p.newPrimary(ctx, key)
	if err != nil {
		return 0, err
	}
	p.planned[key] = l
	if o := l.source(); o != nil && live.IsDeleting(o) {
		return 0, nil
	}
	if l.next, err = l.plan(ctx); err != nil {
		return 0, err
	}
	for _, op := range l.next.Operations {
		origin := p.prepared.get(refOf(op.Key))
		byConsumer := origin != nil && live.IsDeleting(origin)
		if op.Action == applyset.ActionDelete && !byConsumer {
			deletions++
		}
	}
	return deletions, nil
}
