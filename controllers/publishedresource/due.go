package publishedresource

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// task is a primary to reconcile. Where its first round had to be planned already, to count deletions, the task has it.
type task struct {
	key     string
	primary *primary
	round   *apisync.Round
}

// due are the primaries that this pass reconciles: those of the batch that exist, and those that are gone and whose
// copies may be deleted.
func (p *pass) due(ctx context.Context) ([]task, error) {
	existing := p.existing()
	p.forgetMissing(existing)
	p.confirmAbsences(ctx, p.missing(existing), existing)
	var due []task
	for _, key := range slices.Sorted(maps.Keys(existing.Union(p.gone))) {
		due = append(due, task{key: key})
	}
	if p.prepared.config.Spec.MaxDeletions == nil {
		return due, nil
	}
	return p.withinLimit(ctx, due)
}

// existing are the primaries of the batch that exist, by key.
func (p *pass) existing() sets.Set[string] {
	keys := sets.Set[string]{}
	for key := range p.batch.Keys {
		if c := p.cacheOf(key); c != nil && c.Get(keyOf(refOf(key))) != nil {
			keys.Insert(key)
		}
	}
	for _, s := range p.workspaces {
		if !p.batch.All || p.workspaceErrs[s.Name] != nil {
			continue
		}
		for _, o := range p.prepared.cache(s.Name, p.prepared.remote).List() {
			keys.Insert(applyset.KeyIn(s.Name, o.ID()))
		}
	}
	return keys
}

// cacheOf is the cache that holds a primary, if it exists; nil where that is not known.
func (p *pass) cacheOf(key string) *live.Cache {
	ref := refOf(key)
	if ref.Place == "" || p.workspaceErrs[ref.Place] != nil || roleOf(ref).GroupKind != p.prepared.remoteGK {
		return nil
	}
	return p.prepared.cache(ref.Place, p.prepared.remote)
}

// forgetMissing forgets primaries of the batch that do not exist any more.
func (p *pass) forgetMissing(existing sets.Set[string]) {
	known := sets.KeySet(p.batch.Keys)
	if p.batch.All {
		known.Insert(p.memory.relevance.Recorded()...)
		p.memory.update(func() { known = known.Union(sets.KeySet(p.memory.failing)) })
	}
	for key := range known.Difference(existing) {
		if p.cacheOf(key) != nil {
			p.memory.forget(key)
		}
	}
}

// missing are primaries that do not exist, though their workspace is known: those of the batch, and in a pass over all
// those that have copies.
func (p *pass) missing(existing sets.Set[string]) []string {
	found := sets.KeySet(p.batch.Keys)
	if p.batch.All {
		for o := range p.copies() {
			found.Insert(applyset.TagsOf(o).Owner)
		}
	}
	return slices.DeleteFunc(sets.List(found.Difference(existing)), func(key string) bool {
		c := p.cacheOf(key)
		return c == nil || c.Get(keyOf(refOf(key))) != nil
	})
}

// copies are the copies that this PublishedResource made.
func (p *pass) copies() iter.Seq[*krm.Object] {
	return func(yield func(*krm.Object) bool) {
		for c := range p.copyCaches() {
			for _, o := range c.List() {
				if p.isOurs(c, o) && !yield(o) {
					return
				}
			}
		}
	}
}

// hasCopies reports whether copies of a primary are left.
func (p *pass) hasCopies(key string) bool {
	for c := range p.copyCaches() {
		if slices.ContainsFunc(c.ByIndex(byOwner, key), func(o *krm.Object) bool { return p.isOurs(c, o) }) {
			return true
		}
	}
	return false
}

// isOurs reports whether an object of a cache is a copy that this PublishedResource made. Consumers can claim no copies but
// those of their own cluster, whatever they write on their objects.
func (p *pass) isOurs(c *live.Cache, o *krm.Object) bool {
	t := applyset.TagsOf(o)
	return t.Controller == p.prepared.rule.Controller() && (c.Server.Name == "" || refOf(t.Owner).Place == c.Server.Name)
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
// it asks the workspace for each primary, and does not rely on one that has no object of the type at all.
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
		case c.Len() == 0 && !p.prepared.config.Spec.AllowEmpty && p.hasCopies(key):
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
func (p *pass) withinLimit(ctx context.Context, due []task) ([]task, error) {
	deletions, total, losing := 0, 0, sets.Set[string]{}
	for i := range due {
		n, err := p.plan(ctx, &due[i])
		if err != nil {
			return nil, err
		}
		if deletions += n; n > 0 {
			losing.Insert(due[i].key)
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
	return slices.DeleteFunc(due, func(t task) bool { return losing.Has(t.key) }), nil
}

// plan plans the first round of a primary that is not being deleted, and counts the copies that it would delete.
func (p *pass) plan(ctx context.Context, t *task) (deletions int, err error) {
	if t.primary, err = p.newPrimary(ctx, t.key); err != nil {
		return 0, err
	}
	if o := t.primary.source(); o != nil && live.IsDeleting(o) {
		return 0, nil
	}
	if t.round, err = t.primary.plan(ctx); err != nil {
		return 0, err
	}
	for _, op := range t.round.Operations {
		origin := p.prepared.get(refOf(op.Key))
		byConsumer := origin != nil && live.IsDeleting(origin)
		if op.Action == applyset.ActionDelete && !byConsumer {
			deletions++
		}
	}
	return deletions, nil
}
