package applyset

import (
	"cmp"
	"context"
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
		if c := &g.changes[i]; !c.removes() {
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
		if c := &g.changes[i]; c.removes() {
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

func (c *change) removes() bool { return c.action == ActionDelete || c.action == ActionOrphan }

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

// Attempt is the result of one Operation.
type Attempt struct {
	Operation Operation
	// Err is why it failed; nil when it succeeded, or was skipped.
	Err error
	// Skipped says that it was not tried, because an earlier operation failed or ctx was done.
	Skipped bool
}

// Execute runs operations one after the other. The first failure in a chain ends that chain and the chains that come after
// it; others continue. The result has every operation, in the same order. do gets Keep operations as well, which may have a
// State to store.
func Execute(ctx context.Context, ops []Operation, do func(context.Context, Operation) error) []Attempt {
	broken := map[string]bool{}
	out := make([]Attempt, 0, len(ops))
	for _, op := range ops {
		a := Attempt{Operation: op}
		ended := func(chain string) bool { return broken[chain] }
		if ctx.Err() != nil || ended(op.Chain) || slices.ContainsFunc(op.After, ended) {
			a.Skipped = true
		} else {
			a.Err = do(ctx, op)
		}
		if a.Skipped || a.Err != nil {
			broken[op.Chain] = true
		}
		out = append(out, a)
	}
	return out
}
