package edit

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Each gives filter a copy of what every item has within reach, and puts the copies that changed in the places of their
// items. An error of filter is an error result about its item, and the field it names (FieldError);
// the others are still tried. filter may replace what is below the root, but not the root itself. It is
// called for several items at once, keeps nothing of a copy, whose memory the next one takes, and puts
// no node of its own into two of them, since it becomes part of the first. When ctx ends, and when more
// is put into the items than they may hold (Shared), that alone is the error.
func Each(ctx context.Context, in *fn.Input, reach Reach, filter func(*yaml.RNode) error) (*fn.Output, error) {
	return EachObject(ctx, in, reach, func(_ *krm.Object, n *yaml.RNode) error { return filter(n) })
}

// EachObject is Each for a filter that also looks at the item itself.
func EachObject(ctx context.Context, in *fn.Input, reach Reach, filter func(*krm.Object, *yaml.RNode) error) (*fn.Output, error) {
	out := fn.NewOutput(in)
	errs := make([]error, len(in.Items))
	inParts(len(in.Items), func(from, to int) {
		var room krm.Scratch
		for i := from; i < to && ctx.Err() == nil; i++ {
			out.Items[i], errs[i] = one(&room, in.Items[i], reach, filter)
		}
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, errSharedOut) }):
		return nil, errSharedOut // which items it came to last is chance
	}
	for i, err := range errs {
		if err != nil {
			at, cause := locate(err)
			out.Report(sdk.Error, in.Items[i], at, "%v", oneLine(cause))
		}
	}
	return out, nil
}

// one is o as filter leaves it; o itself where filter fails or changes nothing.
func one(room *krm.Scratch, o *krm.Object, reach Reach, filter func(*krm.Object, *yaml.RNode) error) (*krm.Object, error) {
	part := o
	if reach != nil {
		part = o.Part(reach.holds)
	}
	c := room.Copy(part)
	c.ExpandAliases()
	if err := filter(o, yaml.NewRNode(c.Node())); err != nil {
		return o, err
	}
	switch edited := Settle(part, c); {
	case edited == part:
		return o, nil
	case part == o:
		return edited, nil
	default:
		return o.WithPart(edited, reach.holds), nil
	}
}

// Copy is a copy of o that a filter may change: filters do not follow aliases, so they are written
// out.
func Copy(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.ExpandAliases()
	return c
}

// smallestPart is how many items are worth a goroutine.
const smallestPart = 16

// inParts calls do with parts of 0 to n, on all processors. A panic in any of them is one of the caller's.
func inParts(n int, do func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/smallestPart))
	panics := make([]any, parts)
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() {
			defer func() { panics[p] = recover() }()
			do(n*p/parts, n*(p+1)/parts)
		})
	}
	all.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}
