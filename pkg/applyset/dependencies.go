package applyset

import (
	"cmp"
	"errors"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// linkDependencies finds which groups depend on which, ranks them, and fails groups in a cycle.
func (p *planner) linkDependencies() {
	p.linkEdges()
	for _, g := range p.groups {
		for _, key := range g.outcome.DependsOn {
			owner := g.Owner
			if g.edge.Owners == nil {
				owner = key
			}
			on := g.edge.groups[groupKey{owner, key}]
			if on == nil || !on.hasInput {
				p.wait(g, key+", which is not an input")
				continue
			}
			g.dependencies = append(g.dependencies, on)
			on.dependents = append(on.dependents, g)
		}
	}
	p.rank()
	for _, g := range p.groups { // groups that failed before their dependents were known
		if g.failed {
			p.propagate(g)
		}
	}
}

// linkEdges orders the groups of an edge after those of the edges in its After, for the same owner.
func (p *planner) linkEdges() {
	for _, e := range p.edges {
		if len(e.After) == 0 {
			continue
		}
		before := map[string][]*group{}
		for _, o := range p.edges[:e.index] {
			if o.Controller == e.Controller && slices.Contains(e.After, o.Name) {
				for _, g := range o.groups {
					before[g.Owner] = append(before[g.Owner], g)
				}
			}
		}
		for _, g := range e.groups {
			g.earlier = slices.SortedFunc(slices.Values(before[g.Owner]), compareGroups)
			for _, b := range g.earlier {
				b.later = append(b.later, g)
			}
		}
	}
	for _, g := range p.groups {
		slices.SortFunc(g.later, compareGroups)
	}
}

// rank gives every group a higher rank than its dependencies have, and fails the groups in a cycle.
func (p *planner) rank() {
	open := make(map[*group]bool, len(p.groups))
	for _, g := range p.groups {
		open[g] = true
	}
	dependencies, dependents := func(g *group) []*group { return g.dependencies }, func(g *group) []*group { return g.dependents }
	peel(open, dependencies, dependents, func(g *group) {
		for _, w := range g.dependents {
			w.rank = max(w.rank, g.rank+1)
		}
	})
	peel(open, dependents, dependencies, func(*group) {}) // groups that only depend on a cycle are in none
	for _, g := range p.groups {
		if open[g] && g.reason != ReasonFailed {
			p.failAs(sdk.Error, g, g.Input, errors.New("it depends on itself, through the keys it depends on"))
		}
	}
	slices.SortStableFunc(p.groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.edge.index, b.edge.index), cmp.Compare(a.rank, b.rank))
	})
}

// peel removes from open, again and again, every group of which no group of before is open, and calls removed for it. after
// is the reverse of before.
func peel(open map[*group]bool, before, after func(*group) []*group, removed func(*group)) {
	waiting := map[*group]int{}
	var ready []*group
	for g := range open {
		for _, b := range before(g) {
			if open[b] {
				waiting[g]++
			}
		}
		if waiting[g] == 0 {
			ready = append(ready, g)
		}
	}
	for len(ready) > 0 {
		g := ready[0]
		ready = ready[1:]
		delete(open, g)
		removed(g)
		for _, a := range after(g) {
			if waiting[a]--; waiting[a] == 0 && open[a] {
				ready = append(ready, a)
			}
		}
	}
}

// wait freezes a group until something else exists.
func (p *planner) wait(g *group, forWhat string) {
	if g.failed {
		return
	}
	p.report(g, sdk.Warning, ReasonRetry, g.Input, nil, "it waits for %s", forWhat)
	g.freeze(ReasonRetry)
	g.failed = true
	p.propagate(g)
}

func compareGroups(a, b *group) int {
	return cmp.Or(cmp.Compare(a.edge.index, b.edge.index), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Key, b.Key))
}
