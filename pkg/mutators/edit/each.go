package edit

import (
	"context"
	"errors"
	"runtime"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// Each gives filter a copy of the fields of every item within reach, and replaces the items whose copies changed. An error
// of filter is an error result about its item, and the field it names (FieldError); the other items are still edited.
// filter may replace nodes below the root, but not the root itself. It is called concurrently, keeps no reference to a copy,
// whose memory is used again, and puts no node of its own into two copies. The end of ctx, or more new data than all items
// may hold (Shared), is the only error then.
func Each(ctx context.Context, in *fn.Input, reach Reach, filter func(*yaml.RNode) error) (*fn.Output, error) {
	return EachObject(ctx, in, reach, func(_ *krm.Object, n *yaml.RNode) error { return filter(n) })
}

// EachObject is Each for a filter that also looks at the item itself.
func EachObject(ctx context.Context, in *fn.Input, reach Reach, filter func(*krm.Object, *yaml.RNode) error) (*fn.Output, error) {
	out := fn.NewOutput(in)
	errs := make([]error, len(in.Items))
	inParts(len(in.Items), func(from, to int) {
		var scratch krm.Scratch
		for i := from; i < to && ctx.Err() == nil; i++ {
			out.Items[i], errs[i] = one(&scratch, in.Items[i], reach, filter)
		}
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, errSharedOut) }):
		return nil, errSharedOut // which items failed is chance
	}
	for i, err := range errs {
		if err != nil {
			at, cause := locate(err)
			out.Report(sdk.Error, in.Items[i], at, "%v", oneLine(cause))
		}
	}
	return out, nil
}

// one is o as filter leaves it; o itself when filter fails or changes nothing.
func one(scratch *krm.Scratch, o *krm.Object, reach Reach, filter func(*krm.Object, *yaml.RNode) error) (*krm.Object, error) {
	part := o
	if reach != nil {
		part = o.Part(reach.holds)
	}
	c := scratch.Copy(part)
	c.ExpandAliases()
	if err := filter(o, yaml.NewRNode(c.Node())); err != nil {
		return o, err
	}
	switch edited := RestoreForm(part, c); {
	case edited == part:
		return o, nil
	case part == o:
		return edited, nil
	default:
		return o.WithPart(edited, reach.holds), nil
	}
}

// Copy is a copy of o for a filter. It has no aliases, because filters do not follow them.
func Copy(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.ExpandAliases()
	return c
}

// smallestPart is the fewest items for a goroutine.
const smallestPart = 16

// inParts calls do with parts of 0 to n, on all processors. A panic in one of them becomes a panic of the caller.
func inParts(n int, do func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/smallestPart))
	var all parallel.Group
	for p := range parts {
		all.Go(func() { do(n*p/parts, n*(p+1)/parts) })
	}
	all.Wait()
}
