package applyset

import (
	"cmp"
	"slices"
)

// operations lists the operations: each group's creations and changes after those of its dependencies, deletions in the
// reverse order.
func (r *planner) operations() (ops []Operation) {
	backwards := slices.Clone(r.groups)
	slices.Reverse(backwards)
	for _, g := range backwards {
		if g.edge.DeleteFirst {
			ops = g.deletions(ops)
		}
	}
	for _, g := range r.groups {
		ops = g.creations(ops)
	}
	for _, g := range backwards {
		if !g.edge.DeleteFirst {
			ops = g.deletions(ops)
		}
	}
	return ops
}

// creations appends all operations of a group except deletions, in the order of its outputs.
func (g *group) creations(ops []Operation) []Operation {
	if g.frozen {
		return g.keepOperations(ops)
	}
	after := chains(g.dependencies, g.earlier)
	for i := range g.changes {
		if c := &g.changes[i]; !c.action.removes() {
			op := g.operation(c)
			op.After = after
			ops = append(ops, op)
		}
	}
	return ops
}

// keepOperations appends a Keep for each output of a frozen group, unless there was nothing to decide.
func (g *group) keepOperations(ops []Operation) []Operation {
	if g.reason == ReasonHeld || g.reason == ReasonKept {
		return ops
	}
	for _, it := range g.observed {
		ops = append(ops, g.operation(&change{action: ActionKeep, reason: g.reason, ref: it.ref, old: it, object: it.object}))
	}
	return ops
}

// deletions appends the deletions of a group, the newest output first.
func (g *group) deletions(ops []Operation) []Operation {
	var gone []*change
	for i := range g.changes {
		if c := &g.changes[i]; c.action.removes() {
			gone = append(gone, c)
		}
	}
	slices.SortStableFunc(gone, g.compareMade)
	slices.Reverse(gone)
	after := chains(g.dependents, g.later)
	for _, c := range gone {
		op := g.operation(c)
		op.After = after
		ops = append(ops, op)
	}
	return ops
}

// removes reports whether the object is no output afterwards.
func (a Action) removes() bool { return a == ActionDelete || a == ActionOrphan }

// compareMade compares outputs by when they were made, as far as that is known.
func (g *group) compareMade(a, b *change) int {
	x, y := a.old.object, b.old.object
	if g.edge.Order != nil {
		if c := g.edge.Order(x, y); c != 0 {
			return c
		}
		return compareRefs(a.ref, b.ref)
	}
	return cmp.Or(cmp.Compare(x.String("metadata", "creationTimestamp"), y.String("metadata", "creationTimestamp")),
		compareRefs(a.ref, b.ref))
}

func (g *group) operation(c *change) Operation {
	op := Operation{
		Action: c.action, Reason: c.reason, Controller: g.Controller, Edge: g.Edge, Owner: g.Owner, Key: g.Key,
		Ref: c.ref, New: c.object, LastKnown: c.last, State: c.state, Chain: g.chain(),
	}
	if c.old != nil {
		op.Old = c.old.object
	}
	return op
}

// chain names a group among all groups of a run.
func (g *group) chain() string {
	s := g.Controller + " " + g.Edge + " " + g.Owner
	if g.Key != g.Owner {
		s += " " + g.Key
	}
	if g.edge.Place != "" {
		s += " in " + g.edge.Place
	}
	return s
}

func chains(groups ...[]*group) (names []string) {
	for _, some := range groups {
		for _, g := range some {
			names = append(names, g.chain())
		}
	}
	return names
}
