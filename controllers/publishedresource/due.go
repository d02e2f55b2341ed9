package publishedresource

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// task is a primary to reconcile. Where its first round had to be planned already, to count deletions, it is there.
type task struct {
	key     string
	primary *primary
	round   *apisync.Round
}

// due are the primaries that this pass reconciles: those of the batch that exist, and those that are gone and whose
// copies may go.
func (p *pass) due(ctx context.Context) ([]task, error) {
	keys := p.existing()
	p.forgetMissing(keys)
	missing := p.missing(keys)
	p.confirmAbsences(ctx, missing, keys)
	for key := range p.gone {
		keys[key] = true
	}
	var due []task
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		due = append(due, task{key: key})
	}
	if p.prepared.config.Spec.MaxDeletions == nil {
		return due, nil
	}
	return p.withinLimit(ctx, due)
}

// existing are the primaries of the batch that exist, by key.
func (p *pass) existing() map[string]bool {
	keys := map[string]bool{}
	for key := range p.batch.Keys {
		if c, where := p.cacheOf(key); c != nil && c.Get(where) != nil {
			keys[key] = true
		}
	}
	for _, s := range p.workspaces {
		if !p.batch.All || p.workspaceErrs[s.Name] != nil {
			continue
		}
		for _, o := range p.prepared.cache(s.Name, p.prepared.remote).List() {
			keys[applyset.KeyIn(s.Name, o.ID())] = true
		}
	}
	return keys
}

// cacheOf is the cache that holds a primary, if it exists, and its key there; nil where that is not known.
func (p *pass) cacheOf(key string) (*live.Cache, live.Key) {
	cluster, id, err := applyset.ParseKey(key)
	if err != nil || cluster == "" || p.worker.controller.server(cluster) == nil || p.workspaceErrs[cluster] != nil ||
		id.Group != p.prepared.remoteGK.Group ||
		id.Kind != p.prepared.remoteGK.Kind {
		return nil, live.Key{}
	}
	return p.prepared.cache(cluster, p.prepared.remote), live.Key{Namespace: id.Namespace, Name: id.Name}
}

// forgetMissing forgets primaries of the batch that do not exist any more.
func (p *pass) forgetMissing(existing map[string]bool) {
	known := slices.Collect(maps.Keys(p.batch.Keys))
	if p.batch.All {
		p.memory.mu.Lock()
		known = slices.AppendSeq(known, maps.Keys(p.memory.reconciled))
		known = slices.AppendSeq(known, maps.Keys(p.memory.failing))
		p.memory.mu.Unlock()
	}
	for _, key := range known {
		if c, _ := p.cacheOf(key); c != nil && !existing[key] {
			p.memory.drop(key)
		}
	}
}

// missing are primaries that do not exist, though their workspace is known: those of the batch, and in a pass over all
// those that have copies.
func (p *pass) missing(existing map[string]bool) []string {
	found := map[string]bool{}
	for key := range p.batch.Keys {
		found[key] = true
	}
	if p.batch.All {
		for _, c := range p.copyCaches() {
			for _, o := range c.List() {
				if p.isOurs(c, o) {
					found[applyset.TagsOf(o).Owner] = true
				}
			}
		}
	}
	maps.DeleteFunc(found, func(key string, _ bool) bool {
		c, where := p.cacheOf(key)
		return existing[key] || c == nil || c.Get(where) != nil
	})
	return slices.Sorted(maps.Keys(found))
}

// hasCopies reports whether something is left of a primary.
func (p *pass) hasCopies(key string) bool {
	return slices.ContainsFunc(p.copyCaches(), func(c *live.Cache) bool {
		return slices.ContainsFunc(c.ByIndex(byOwner, key), func(o *krm.Object) bool { return p.isOurs(c, o) })
	})
}

// isOurs reports whether an object of a cache is a copy that this PublishedResource made. Consumers can claim no copies but
// those of their own cluster, whatever they write on their objects.
func (p *pass) isOurs(c *live.Cache, o *krm.Object) bool {
	t := applyset.TagsOf(o)
	if t.Controller != p.prepared.rule.Controller() {
		return false
	}
	cluster, _, err := applyset.ParseKey(t.Owner)
	return c.Server.Name == "" || err == nil && cluster == c.Server.Name
}

// copyCaches are the caches that may hold copies, each once.
func (p *pass) copyCaches() (all []*live.Cache) {
	seen := map[*live.Cache]bool{}
	add := func(c *live.Cache) {
		if c != nil && !seen[c] {
			seen[c] = true
			all = append(all, c)
		}
	}
	add(p.prepared.cache("", p.prepared.local))
	for _, rel := range p.prepared.related {
		if rel.fromSource {
			add(p.prepared.cache("", rel.copied))
			continue
		}
		for _, s := range p.workspaces {
			add(p.prepared.cache(s.Name, rel.copied))
		}
	}
	return all
}

// confirmAbsences decides about what is left of primaries that do not exist. Where the view is partial it stays. Otherwise
// it asks their workspace for each of them, and does not believe one that has no object of the type at all.
func (p *pass) confirmAbsences(ctx context.Context, missing []string, keys map[string]bool) {
	refused := ""
	for _, key := range missing {
		if !p.prepared.config.Complete() {
			break
		}
		c, where := p.cacheOf(key)
		if p.workspaceErrs[c.Server.Name] != nil {
			continue
		}
		o, err := c.Server.Find(ctx, p.prepared.remote, where)
		if err != nil { // other workspaces are reconciled all the same
			p.workspaceErrs[c.Server.Name] = fmt.Errorf("ask for %s: %w", key, err)
			continue
		}
		switch {
		case o != nil:
			c.Put(o, p.worker)
			keys[key] = true
		case c.Len() == 0 && !p.prepared.config.Spec.AllowEmpty && p.hasCopies(key):
			refused = cmp.Or(refused, fmt.Sprintf("there is no %s at all in the workspace %s, but there are copies; "+
				"they stay unless allowEmpty is set", p.prepared.remoteGK.Kind, c.Server.Name))
		default:
			p.gone[key] = true
		}
	}
	if p.batch.All {
		p.memory.mu.Lock()
		p.memory.refused, p.memory.detached = refused, len(missing)
		p.memory.mu.Unlock()
	}
}

// withinLimit plans the first round of each primary, and leaves out those whose copies would go though no consumer asked
// for that, where these are more than maxDeletions allows: primaries that are gone, that the filter lets go, and objects
// that are not related any more. What consumers delete themselves is not counted.
func (p *pass) withinLimit(ctx context.Context, due []task) ([]task, error) {
	deletions, losing := 0, map[string]bool{}
	for i := range due {
		n, err := p.plan(ctx, &due[i])
		if err != nil {
			return nil, err
		}
		deletions += n
		losing[due[i].key] = n > 0
	}
	total := 0
	for _, c := range p.copyCaches() {
		for _, o := range c.List() {
			if p.isOurs(c, o) {
				total++
			}
		}
	}
	if p.prepared.limit.Allows(deletions, total) {
		return due, nil
	}
	p.memory.mu.Lock()
	p.memory.refused = fmt.Sprintf("%d of %d copies would go, more than maxDeletions, %s, allows; they stay",
		deletions, total, p.prepared.limit)
	p.memory.mu.Unlock()
	return slices.DeleteFunc(due, func(t task) bool { return losing[t.key] }), nil
}

// plan plans the first round of a primary that is not being deleted, and counts the copies that would go.
func (p *pass) plan(ctx context.Context, t *task) (deletions int, err error) {
	if t.primary, err = p.newPrimary(ctx, t.key); err != nil {
		return 0, err
	}
	if o := t.primary.source(); o != nil && live.IsDeleting(o) {
		return 0, nil
	}
	if t.round, err = t.primary.round(ctx, t.primary.rule()); err != nil {
		return 0, err
	}
	for _, op := range t.round.Operations {
		if op.Action == applyset.ActionDelete && !p.isAsked(op) {
			deletions++
		}
	}
	return deletions, nil
}

// isAsked reports whether the consumer deletes the origin of a copy that goes.
func (p *pass) isAsked(op applyset.Operation) bool {
	cluster, id, err := applyset.ParseKey(op.Key)
	k, is := p.prepared.resources[roleKey{cluster != "", schema.GroupKind{Group: id.Group, Kind: id.Kind}}]
	if err != nil || !is {
		return false
	}
	c := p.prepared.cache(cluster, k)
	o := (*krm.Object)(nil)
	if c != nil {
		o = c.Get(live.Key{Namespace: id.Namespace, Name: id.Name})
	}
	return o != nil && live.IsDeleting(o)
}
