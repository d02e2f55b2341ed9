package applyset

import (
	"context"
	"slices"
	"sync"
)

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
