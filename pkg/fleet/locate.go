package fleet

import (
	"bytes"
	"cmp"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Locate sets the source of each group: the file of the package that defines its object, in after or else in before. Files
// are named below root. Only files that mention the objects are parsed; a file that cannot be parsed is skipped.
func Locate(p *waybill.FleetPreview, before, after pkgtree.Tree, root string) {
	wanted := map[krm.ID][]*waybill.PreviewGroup{}
	for i := range p.Groups {
		id := krm.ID(p.Groups[i].Object)
		wanted[id] = append(wanted[id], &p.Groups[i])
	}
	for _, tree := range []pkgtree.Tree{after, before} {
		locateIn(tree, wanted, root)
	}
}

func locateIn(tree pkgtree.Tree, wanted map[krm.ID][]*waybill.PreviewGroup, root string) {
	for p, blob := range tree.All() {
		if !IsSource(tree, p) || containsWork(blob) || !mentions(blob.Data(), wanted) {
			continue
		}
		objects, err := krm.Read(p, blob.Data(), krm.Limits{})
		if err != nil {
			continue
		}
		for _, o := range objects {
			found(o, wanted, waybill.PreviewPlace{File: path.Join(root, p), Line: max(1, o.Source.Line)})
		}
	}
}

// mentions reports whether data holds the name of any of the objects.
func mentions[T any](data []byte, objects map[krm.ID]T) bool {
	for id := range objects {
		if bytes.Contains(data, []byte(id.Name)) {
			return true
		}
	}
	return false
}

// found sets the place of an object in the groups about it, and removes these groups from wanted. An object without a
// namespace ships to the default namespace.
func found(o *krm.Object, wanted map[krm.ID][]*waybill.PreviewGroup, at waybill.PreviewPlace) {
	id := o.ID()
	shipped := id
	shipped.Namespace = cmp.Or(shipped.Namespace, "default")
	for _, id := range slices.Compact([]krm.ID{id, shipped}) {
		for _, g := range wanted[id] {
			place := at
			g.Source = &place
		}
		delete(wanted, id)
	}
}
