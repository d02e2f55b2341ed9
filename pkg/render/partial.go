package render

import (
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// enabled reports whether the root Kptfile has an annotation that turns on a way of rendering.
func enabled(root *load.Package, annotation string) bool {
	return strings.EqualFold(root.Kptfile.Spec.Annotations[annotation], "true")
}

// keepPartial puts the resources as they were before the function that failed into the result of a failed render, if the
// root Kptfile asks for that. It removes no file.
func (r *renderer) keepPartial(tree pkgtree.Tree, root *load.Package, before origins) error {
	if !r.savesOnFailure {
		return nil
	}
	changes, err := changed(tree, before, byFile(currentItems(root)), r.opts.Limits)
	if err != nil {
		return err
	}
	r.result.Partial = true
	r.result.Tree, err = tree.ApplyBlobs(changes)
	return err
}

// setCurrent keeps what p's pipeline returned, if keepPartial may need it.
func (r *renderer) setCurrent(p *load.Package, items []*krm.Object) {
	if r.savesOnFailure {
		p.Current = items
	}
}

// currentItems are the resources of all packages when a render stops.
func currentItems(root *load.Package) []*krm.Object {
	if enabled(root, kptfilev1.BFSRenderAnnotation) {
		return gather(root.All())
	}
	return currentBelow(root)
}

// currentBelow are the resources of p and the packages below when a depth-first render stops.
func currentBelow(p *load.Package) []*krm.Object {
	if p.Current != nil {
		return p.Current
	}
	items := slices.Clone(p.Items)
	for _, s := range p.Subs {
		items = append(items, currentBelow(s)...)
	}
	return items
}
