package edit

import (
	"errors"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Each gives filter a copy of every item, and puts the copies that changed in the places of their
// items. An error of filter is an error result about its item; the others are still tried. filter may
// replace what is below the root, but not the root itself. It is called for several items at once, and
// keeps nothing of a copy: the next one takes its memory.
func Each(in *fn.Input, filter func(*yaml.RNode) error) *fn.Output {
	return EachObject(in, func(_ *krm.Object, n *yaml.RNode) error { return filter(n) })
}

// EachObject is Each for a filter that also looks at the item itself.
func EachObject(in *fn.Input, filter func(*krm.Object, *yaml.RNode) error) *fn.Output {
	out := fn.NewOutput(in)
	errs := make([]error, len(in.Items))
	inParts(len(in.Items), func(from, to int) {
		var room krm.Scratch
		for i := from; i < to; i++ {
			out.Items[i], errs[i] = one(&room, in.Items[i], filter)
		}
	})
	for i, err := range errs {
		if err != nil {
			out.Report(sdk.Error, in.Items[i], nil, "%v", err)
		}
	}
	return out
}

// one is o as filter leaves it; o itself where filter fails or changes nothing.
func one(room *krm.Scratch, o *krm.Object, filter func(*krm.Object, *yaml.RNode) error) (*krm.Object, error) {
	c := room.Copy(o)
	c.ExpandAliases()
	if err := filter(o, yaml.NewRNode(c.Node())); err != nil {
		return o, oneLine(err)
	}
	return Settle(o, c), nil
}

// oneLine is err as one line without what kyaml quotes of the object, which may be a secret.
func oneLine(err error) error {
	text, _, _ := strings.Cut(err.Error(), ": node contents:")
	return errors.New(strings.ReplaceAll(strings.TrimSpace(text), "\n", " "))
}

// Copy is a copy of o that a filter may change: filters do not follow aliases, so they are written
// out.
func Copy(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.ExpandAliases()
	return c
}
