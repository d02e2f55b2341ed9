package diff

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Change is one difference between two trees: of a field, an object, or a file that is looked at as a
// whole.
type Change struct {
	// Package is the folder of the nearest package of the file in either tree, "." for the root.
	Package string `json:"package"`
	// File is the file, relative to the root; of what has moved, where it stands now.
	File string `json:"file"`
	// Object is zero for what is no object; it is named as in to, and as in from when it is gone.
	Object krm.ID `json:"object,omitzero"`
	// Field is the path with dots, items as [key=value] and odd names in brackets; "" for the whole.
	Field string `json:"field,omitempty"`
	// From and To are the values of a field, short YAML on one line, nil where there is nothing. Of two
	// long values they are the parts where these differ. Values of Secrets are not shown. Of what has
	// moved they are the two places; of whole objects and files there is nothing to show.
	From *string `json:"from,omitempty"`
	To   *string `json:"to,omitempty"`
	Kind Kind    `json:"kind"`
}

// Kind is what happened to a field, an object or a file.
type Kind string

// What can happen.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Moved is an object that stands in another file, and a list of steps in another order: the places
	// are the files, or the names of the steps that both have.
	Moved Kind = "moved"
	// Format is a file that says the same in other bytes: written in another way, with other comments,
	// or with its documents, fields or items in another order that means nothing.
	Format Kind = "format"
)

// Changes lists what is different in to, as compared with from, sorted by package, file, object and
// field. Objects are the same that are the same to a merge, in the same file or else in another. Marks,
// annotations of orchestrators, and the upstream and upstreamLock of the root's Kptfile are no changes:
// but for them the trees hold the same bytes if there are none. YAML that cannot be read, on either
// side, is compared as one file. There is no tree that cannot be compared: the error is nil.
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
