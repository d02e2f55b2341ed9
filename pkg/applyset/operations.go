package applyset

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// operations lists the operations: each group's creations and changes after those of its dependencies, deletions in the
// reverse order.
func (p *planner) operations() (ops []Operation) {
	backwards := slices.Clone(p.groups)
	slices.Reverse(backwards)
	for _, g := range backwards {
		if g.edge.DeleteFirst {
			ops = g.deletions(ops)
		}
	}
	for _, g := range p.groups {
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
	after := chains(slices.Concat(g.dependencies, g.earlier))
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
	slices.SortStableFunc(gone, compareMade)
	slices.Reverse(gone)
	after := chains(slices.Concat(g.dependents, g.later))
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
func compareMade(a, b *change) int {
	made := func(c *change) string { return c.old.object.String("metadata", "creationTimestamp") }
	return cmp.Or(cmp.Compare(made(a), made(b)), compareRefs(a.ref, b.ref))
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

func chains(groups []*group) (names []string) {
	for _, g := range groups {
		names = append(names, g.chain())
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
	return execute(ctx, ops, map[string]bool{}, do)
}

// execute is Execute where some chains have ended already; it adds those that end.
func execute(ctx context.Context, ops []Operation, ended map[string]bool, do func(context.Context, Operation) error) []Attempt {
	out := make([]Attempt, 0, len(ops))
	for _, op := range ops {
		a := Attempt{Operation: op}
		hasEnded := func(chain string) bool { return ended[chain] }
		if ctx.Err() != nil || hasEnded(op.Chain) || slices.ContainsFunc(op.After, hasEnded) {
			a.Skipped = true
		} else {
			a.Err = do(ctx, op)
		}
		ended[op.Chain] = ended[op.Chain] || a.Skipped || a.Err != nil
		out = append(out, a)
	}
	return out
}

// ExecuteParallel is Execute for operations whose chains do not depend on each other: it runs first all deletions, then the
// rest, up to parallel chains at a time.
func ExecuteParallel(ctx context.Context, ops []Operation, parallel int, do func(context.Context, Operation) error) (out []Attempt) {
	ended := map[string]bool{}
	for _, removes := range []bool{true, false} {
		var names []string
		chains := map[string][]Operation{}
		for _, op := range ops {
			if op.Action.removes() != removes {
				continue
			}
			if chains[op.Chain] == nil {
				names = append(names, op.Chain)
			}
			chains[op.Chain] = append(chains[op.Chain], op)
		}
		results := make([][]Attempt, len(names))
		ForEach(len(names), parallel, func(i int) {
			results[i] = execute(ctx, chains[names[i]], map[string]bool{names[i]: ended[names[i]]}, do)
		})
		for _, a := range slices.Concat(results...) {
			ended[a.Operation.Chain] = ended[a.Operation.Chain] || a.Skipped || a.Err != nil
			out = append(out, a)
		}
	}
	return out
}

// ForEach calls do for 0 to n-1, up to parallel calls at a time; they start in this order.
func ForEach(n, parallel int, do func(i int)) {
	slots := make(chan struct{}, max(1, parallel))
	var running sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	running.Wait()
}
