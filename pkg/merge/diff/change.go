package diff

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Change is one difference between two trees: of a field, an object, or a whole file.
type Change struct {
	// Package is the folder of the nearest package of the file in either tree, "." for the root.
	Package string `json:"package"`
	// File is the file, relative to the root; for what has moved, the new place.
	File string `json:"file"`
	// Object is zero if there is no object. It has the name in to, or in from if the object was removed.
	Object krm.ID `json:"object,omitzero"`
	// Field is the path with dots, items as [key=value] and odd names in brackets; "" for the whole.
	Field string `json:"field,omitempty"`
	// From and To are the values of a field, short YAML on one line, nil where there is nothing. If both are long
	// they are the parts that differ. Values of Secrets are not shown. For what has moved they are the two places;
	// for whole objects and files they are nil.
	From *string `json:"from,omitempty"`
	To   *string `json:"to,omitempty"`
	Kind Kind    `json:"kind"`
}

// Kind is what happened to a field, an object or a file.
type Kind string

// The kinds.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Moved is an object in another file, or a list of steps in another order: the places are the files, or the
	// names of the steps that both have.
	Moved Kind = "moved"
	// Format is a file with the same meaning in other bytes: other formatting, other comments, or documents,
	// fields or items in another order that does not matter.
	Format Kind = "format"
)

// Changes lists what is different in to, compared with from, sorted by package, file, object and field. It
// identifies objects as a merge does, in the same file or in another. Marks, annotations of orchestrators, and
// upstream and upstreamLock of the root's Kptfile are ignored; apart from these, trees without changes hold the
// same bytes. A file that is not valid YAML on either side is compared as a whole. The error is always nil.
func Changes(from, to pkgtree.Tree) ([]Change, error) {
	c := newComparison(from, to)
	parallel.For(len(c.files), func(i int) { c.file(&c.files[i]) })
	moves, gone, fresh := c.moves()
	moved := make([][]Change, len(moves))
	parallel.For(len(moves), func(i int) { moved[i] = c.moved(moves[i]) })
	out := slices.Concat(moved...)
	for i := range c.files {
		out = append(out, c.files[i].changes...)
	}
	for _, s := range gone {
		out = append(out, s.change(Removed))
	}
	for _, s := range fresh {
		out = append(out, s.change(Added))
	}
	for i := range out {
		out[i].Package = document.NearestPackage(c.packages, out[i].File)
	}
	Sort(out)
	return out, nil
}

// Sort sorts by package, file, object, field and kind.
func Sort(cs []Change) {
	slices.SortStableFunc(cs, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Object.String(), b.Object.String()), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Kind, b.Kind))
	})
}
