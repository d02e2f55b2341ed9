package mapping

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// carryOut carries out operations, those of different chains some at a time: first what goes, then the rest.
// What the chain of an operation failed at before is heeded across both.
func carryOut(
	ctx context.Context, ops []correspond.Operation, parallel int, do func(context.Context, correspond.Operation) error,
) []correspond.Attempt {
	var goes, comes []correspond.Operation
	for _, op := range ops {
		if op.Action == correspond.ActionDelete || op.Action == correspond.ActionOrphan {
			goes = append(goes, op)
		} else {
			comes = append(comes, op)
		}
	}
	out := wave(ctx, goes, parallel, do)
	broken := map[string]bool{}
	for _, a := range out {
		broken[a.Operation.Chain] = broken[a.Operation.Chain] || a.Skipped || a.Err != nil
	}
	var left []correspond.Operation
	for _, op := range comes {
		if broken[op.Chain] {
			out = append(out, correspond.Attempt{Operation: op, Skipped: true})
		} else {
			left = append(left, op)
		}
	}
	return append(out, wave(ctx, left, parallel, do)...)
}

// wave carries out operations chain by chain, some chains at a time, and gives what became of them in the
// order of the chains. No chain waits for another one: map has no keys that depend on others.
func wave(
	ctx context.Context, ops []correspond.Operation, parallel int, do func(context.Context, correspond.Operation) error,
) (out []correspond.Attempt) {
	var order []string
	chains := map[string][]correspond.Operation{}
	for _, op := range ops {
		if chains[op.Chain] == nil {
			order = append(order, op.Chain)
		}
		chains[op.Chain] = append(chains[op.Chain], op)
	}
	results := make([][]correspond.Attempt, len(order))
	slots := make(chan struct{}, parallel)
	var all sync.WaitGroup
	for i, name := range order {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			results[i] = correspond.Execute(ctx, chains[name], do)
		})
	}
	all.Wait()
	for _, some := range results {
		out = append(out, some...)
	}
	return out
}
