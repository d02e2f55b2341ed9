package correspond

import (
	"fmt"
	"slices"
)

// claim notes who wants which object.
func (r *run) claim() {
	r.claims = make(map[Ref][]*group)
	for _, g := range r.groups {
		for _, d := range g.desired {
			g.claimed = append(g.claimed, d.ref)
		}
		for _, it := range g.observed {
			if g.keeps[it.ref] && !slices.Contains(g.claimed, it.ref) {
				g.claimed = append(g.claimed, it.ref)
			}
		}
		for _, ref := range g.claimed {
			r.claims[ref] = append(r.claims[ref], g)
		}
	}
}

// judge fails those who want the same, or what somebody else keeps.
func (r *run) judge() {
	for _, g := range r.groups {
		r.contest(g)
	}
	for _, g := range r.groups {
		if g.settled {
			r.spread(g)
		}
	}
}

// contest fails g if somebody else wants what it wants. Both fail, whoever is looked at first.
func (r *run) contest(g *group) {
	for _, ref := range g.claimed {
		for _, other := range r.claims[ref] {
			if other != g {
				r.fail(g, g.Input, fmt.Errorf("%s is wanted by %s, too; neither gets it", r.named(g, ref), other.describe(g)))
				return
			}
		}
	}
}

// describe names g for a message about another group.
func (g *group) describe(to *group) string {
	s := "key " + g.Key
	if g.Owner != g.Key && g.Owner != to.Owner {
		s += " of owner " + g.Owner
	}
	if g.Edge != to.Edge {
		s += " of edge " + g.Edge
	}
	if g.Controller != to.Controller {
		s += " of controller " + g.Controller
	}
	return s
}

// spread has others learn that a group keeps all it has: those who want some of it fail, and those who
// depend on it wait.
func (r *run) spread(g *group) {
	for _, it := range g.observed {
		for _, other := range r.claims[it.ref] {
			if other != g && !other.settled {
				r.fail(other, other.Input, fmt.Errorf("%s belongs to %s, which keeps it", it.ref, g.describe(other)))
			}
		}
	}
	if !g.failed {
		return
	}
	for _, w := range g.waiting {
		r.wait(w, g.Key)
	}
}
