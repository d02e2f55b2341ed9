package apisync

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// placesOf are the places where an entry has copies.
func (x *index) placesOf(r *related) (places []string) {
	for _, edges := range x.related {
		for _, o := range edges[r.entry.Identifier] {
			if at := x.refs[o].Place; (at == "") == r.FromSource && !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return places
}

// leftovers are edges for copies of entries that the configuration no longer has: they are deleted with their primary.
func (x *index) leftovers(kept []applyset.Edge) []applyset.Edge {
	type where struct{ identifier, place string }
	known, more := map[where]bool{}, map[where]*applyset.Edge{}
	for _, e := range kept {
		known[where{e.Name, e.Place}] = true
	}
	for _, p := range x.primaries {
		for identifier, copies := range x.related[p.key] {
			for _, o := range copies {
				at := where{identifier, x.refs[o].Place}
				if known[at] {
					continue
				}
				if more[at] == nil {
					e := x.edge(identifier, at.place)
					e.Owners = []applyset.Owner{}
					e.Project = func(context.Context, *applyset.Group) applyset.Outcome { return applyset.Outputs() }
					more[at] = &e
				}
				e := more[at]
				if !slices.ContainsFunc(e.Owners, func(o applyset.Owner) bool { return o.Key == p.key }) {
					e.Owners = append(e.Owners, applyset.Owner{Key: p.key, Object: p.object, Hold: !p.removing})
				}
				if key := applyset.TagsOf(o).Input; p.removing && isKey(key) {
					e.Inputs = append(e.Inputs, applyset.Input{Key: key, Owner: p.key})
				}
			}
		}
	}
	var edges []applyset.Edge
	for _, e := range more {
		edges = append(edges, *e)
	}
	slices.SortFunc(edges, func(a, b applyset.Edge) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place, b.Place))
	})
	return edges
}

// makeEdges builds an edge for each place of copies.
func (r *relatedObjects) makeEdges(converged func(owner string) bool) {
	edges := map[string]*applyset.Edge{}
	edgeAt := func(place string) *applyset.Edge {
		if edges[place] == nil {
			e := r.x.edge(r.entry.Identifier, place)
			e.Adopt, e.AdoptBy, e.Owners = r.adopt, adoptBy(r.permits.at), []applyset.Owner{}
			e.InputTypes, e.OutputTypes = []schema.GroupKind{r.Origin.GroupKind()}, []schema.GroupKind{r.Copied.GroupKind()}
			e.Project, e.Tombstone = r.project, r.tombstone
			edges[place] = &e
		}
		return edges[place]
	}
	for _, place := range r.x.placesOf(r.related) {
		edgeAt(place)
	}
	for _, p := range r.x.primaries {
		_, at := r.sides(p)
		e, held := edgeAt(at.engineName()), r.x.isHeld(p, converged)
		e.Owners = append(e.Owners, applyset.Owner{Key: p.key, Object: p.object, Hold: held})
		if !held {
			e.Inputs = append(e.Inputs, r.inputs(p)...)
		}
	}
	for owner := range r.x.owners() {
		if r.x.byKey[owner] == nil && isKey(owner) { // the edge of primaries reports it
			for _, e := range edges {
				e.Owners = append(e.Owners, applyset.Owner{Key: owner, Hold: true})
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(edges)) {
		r.edges = append(r.edges, *edges[place])
	}
}
