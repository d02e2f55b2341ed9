package render

import (
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// asks reports whether the Kptfile of p turns on a way of rendering. Only the root is asked.
func (p *pkg) asks(annotation string) bool {
	return strings.EqualFold(p.kptfile.Spec.Annotations[annotation], "true")
}

// keepPartial puts what a failed render had done into the result, if the root asks for that: the
// resources as they stood before the function that failed. No file goes.
func (r *renderer) keepPartial(tree pkgtree.Tree, root *pkg, before origins) error {
	if !r.saves {
		return nil
	}
	changes, err := changed(tree, before, byFile(root.standing()), r.opts.Limits)
	if err != nil {
		return err
	}
	r.result.Partial = true
	r.result.Tree, err = tree.Apply(changes)
	return err
}

// stand notes what p's pipeline sees, if that may be asked for.
func (r *renderer) stand(p *pkg, items []*krm.Object) {
	if r.saves {
		p.now = items
	}
}

// standing is what there is of p and below when a render stops.
func (p *pkg) standing() []*krm.Object {
	if p.own != nil { // top down: what was handed back
		return gather(p.levels())
	}
	if p.now != nil {
		return p.now
	}
	items := slices.Clone(p.items)
	for _, s := range p.subs {
		items = append(items, s.standing()...)
	}
	return items
}
