package mapcontroller

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// execute does operations, some chains at a time: first deletions, then the rest. A chain that failed at a deletion does
// not go on.
func execute(
	ctx context.Context, ops []applyset.Operation, parallel int, do func(context.Context, applyset.Operation) error,
) []applyset.Attempt {
	var deletions, rest []applyset.Operation
	for _, op := range ops {
		if op.Action == applyset.ActionDelete || op.Action == applyset.ActionOrphan {
			deletions = append(deletions, op)
		} else {
			rest = append(rest, op)
		}
	}
	out := executeChains(ctx, deletions, parallel, do)
	broken := map[string]bool{}
	for _, a := range out {
		broken[a.Operation.Chain] = broken[a.Operation.Chain] || a.Skipped || a.Err != nil
	}
	var left []applyset.Operation
	for _, op := range rest {
		if broken[op.Chain] {
			out = append(out, applyset.Attempt{Operation: op, Skipped: true})
		} else {
			left = append(left, op)
		}
	}
	return append(out, executeChains(ctx, left, parallel, do)...)
}

// executeChains does operations chain by chain, some chains at a time, and returns the attempts in the order of the
// chains. No chain waits for another one: map has no keys that depend on others.
func executeChains(
	ctx context.Context, ops []applyset.Operation, parallel int, do func(context.Context, applyset.Operation) error,
) (out []applyset.Attempt) {
	var order []string
	chains := map[string][]applyset.Operation{}
	for _, op := range ops {
		if chains[op.Chain] == nil {
			order = append(order, op.Chain)
		}
		chains[op.Chain] = append(chains[op.Chain], op)
	}
	results := make([][]applyset.Attempt, len(order))
	slots := make(chan struct{}, parallel)
	var all sync.WaitGroup
	for i, name := range order {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			results[i] = applyset.Execute(ctx, chains[name], do)
		})
	}
	all.Wait()
	for _, some := range results {
		out = append(out, some...)
	}
	return out
}
