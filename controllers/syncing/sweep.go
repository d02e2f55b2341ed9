package syncing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// due are the primaries that this pass works, by key: those in its scope that are there, and those that are gone and
// whose copies may go.
func (p *pass) due(ctx context.Context) ([]string, error) {
	keys := p.there()
	p.forgetMissing(keys)
	missing := p.missing(keys)
	p.sweep(ctx, missing, keys)
	for key := range p.gone {
		keys[key] = true
	}
	return p.withinLimit(ctx, slices.Sorted(maps.Keys(keys)))
}

// there are the primaries of the scope that are there, by key.
func (p *pass) there() map[string]bool {
	keys := map[string]bool{}
	for key := range p.keys {
		if sh, where := p.shelfOf(key); sh != nil && sh.get(where) != nil {
			keys[key] = true
		}
	}
	for _, s := range p.workspaces {
		if !p.all || p.trouble[s.name] != nil {
			continue
		}
		for _, o := range p.ready.shelf(s.name, p.ready.remote).objects() {
			keys[correspond.KeyIn(s.name, o.ID())] = true
		}
	}
	return keys
}

// shelfOf is where a primary is, if it is; nil where that is not known.
func (p *pass) shelfOf(key string) (*shelf, at) {
	cluster, id, err := correspond.ParseKey(key)
	if err != nil || cluster == "" || p.server(cluster) == nil || p.trouble[cluster] != nil || id.Group != p.ready.remoteGK.Group ||
		id.Kind != p.ready.remoteGK.Kind {
		return nil, at{}
	}
	return p.ready.shelf(cluster, p.ready.remote), at{id.Namespace, id.Name}
}

// forgetMissing forgets primaries of the scope that are not there any more.
func (p *pass) forgetMissing(there map[string]bool) {
	known := slices.Collect(maps.Keys(p.keys))
	if p.all {
		p.memory.mu.Lock()
		known = slices.AppendSeq(known, maps.Keys(p.memory.looked))
		known = slices.AppendSeq(known, maps.Keys(p.memory.failing))
		p.memory.mu.Unlock()
	}
	for _, key := range known {
		if sh, _ := p.shelfOf(key); sh != nil && !there[key] {
			p.memory.drop(key)
		}
	}
}

// missing are primaries that are not there, though their workspace is known: those of the scope, and in a pass over all
// those that copies are there of.
func (p *pass) missing(there map[string]bool) []string {
	found := map[string]bool{}
	for key := range p.keys {
		found[key] = true
	}
	if p.all {
		for _, sh := range p.copyShelves() {
			for _, o := range sh.objects() {
				if p.isOurs(sh, o) {
					found[correspond.TagsOf(o).Owner] = true
				}
			}
		}
	}
	maps.DeleteFunc(found, func(key string, _ bool) bool {
		sh, where := p.shelfOf(key)
		return there[key] || sh == nil || sh.get(where) != nil
	})
	return slices.Sorted(maps.Keys(found))
}

// hasCopies reports whether something is left of a primary.
func (p *pass) hasCopies(key string) bool {
	return slices.ContainsFunc(p.copyShelves(), func(sh *shelf) bool {
		return slices.ContainsFunc(sh.find(ofOwner(key)), func(o *krm.Object) bool { return p.isOurs(sh, o) })
	})
}

// isOurs reports whether an object of a shelf is a copy that this PublishedResource made. What consumers write on objects of
// theirs makes them nobody's copies but those of their own cluster.
func (p *pass) isOurs(sh *shelf, o *krm.Object) bool {
	t := correspond.TagsOf(o)
	if t.Controller != p.ready.rule.Controller() {
		return false
	}
	cluster, _, err := correspond.ParseKey(t.Owner)
	return sh.server.name == "" || err == nil && cluster == sh.server.name
}

// copyShelves are those that copies may be on, each once.
func (p *pass) copyShelves() (all []*shelf) {
	seen := map[*shelf]bool{}
	add := func(sh *shelf) {
		if sh != nil && !seen[sh] {
			seen[sh] = true
			all = append(all, sh)
		}
	}
	add(p.ready.shelf("", p.ready.local))
	for _, rel := range p.ready.related {
		if rel.fromSource {
			add(p.ready.shelf("", rel.copied))
			continue
		}
		for _, s := range p.workspaces {
			add(p.ready.shelf(s.name, rel.copied))
		}
	}
	return all
}

// sweep decides about what is left of primaries that are not there. Where the view is partial it stays. Otherwise their
// workspace is asked for each of them, and one that shows not one object of the type is not believed.
func (p *pass) sweep(ctx context.Context, missing []string, keys map[string]bool) {
	refused := ""
	for _, key := range missing {
		if !p.ready.config.Complete() {
			break
		}
		sh, where := p.shelfOf(key)
		if p.trouble[sh.server.name] != nil {
			continue
		}
		o, err := sh.server.confirm(ctx, p.ready.remote, where)
		if err != nil { // other workspaces are worked all the same
			p.trouble[sh.server.name] = fmt.Errorf("ask for %s: %w", key, err)
			continue
		}
		switch {
		case o != nil:
			sh.put(o, false, p.worker)
			keys[key] = true
		case sh.count() == 0 && !p.ready.config.Spec.AllowEmpty && p.hasCopies(key):
			refused = cmp.Or(refused, fmt.Sprintf("there is no %s at all in the workspace %s, but there are copies; "+
				"they stay unless allowEmpty is set", p.ready.remoteGK.Kind, sh.server.name))
		default:
			p.gone[key] = true
		}
	}
	if p.all {
		p.memory.mu.Lock()
		p.memory.refused, p.memory.detached = refused, len(missing)
		p.memory.mu.Unlock()
	}
}
