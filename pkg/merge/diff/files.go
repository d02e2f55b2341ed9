package diff

import (
	"path"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// comparison is one run of Changes.
type comparison struct {
	files    []filePair      // those that differ
	packages map[string]bool // folders that have a Kptfile in either tree
	defined  func() definitions
}

// filePair is one file in both trees, nil where it does not exist, and its changes.
type filePair struct {
	file           string
	from, to       *pkgtree.Blob
	changes        []Change
	removed, added []*entry // without a counterpart in this file
}

func newComparison(from, to pkgtree.Tree) *comparison {
	c := &comparison{packages: map[string]bool{}}
	for _, tree := range []pkgtree.Tree{from, to} {
		for p := range tree.All() {
			if document.IsKptfile(p) {
				c.packages[path.Dir(p)] = true
			}
		}
	}
	for _, p := range from.Diff(to) {
		c.files = append(c.files, filePair{file: p, from: from.Blob(p), to: to.Blob(p)})
	}
	c.defined = sync.OnceValue(func() definitions { return definitionsOf(from, to) })
	return c
}

// file compares the two versions of a file.
func (c *comparison) file(f *filePair) {
	if !document.IsResourceFile(f.file) && !document.IsKptfile(f.file) {
		f.changeWhole()
		return
	}
	from, errFrom := readEntries(f.file, f.from)
	to, errTo := readEntries(f.file, f.to)
	if errFrom != nil || errTo != nil {
		f.changeWhole()
		return
	}
	var both []objectPair
	both, f.removed, f.added = matchInFile(f.file, from, to)
	for _, o := range both {
		f.changes = append(f.changes, c.objects(o)...)
	}
	switch {
	case len(f.changes) > 0 || len(f.removed) > 0 || len(f.added) > 0:
	case f.from == nil || f.to == nil: // it holds no object
		f.changeWhole()
	case !f.sameMeaning(from, to):
		f.changes = append(f.changes, Change{File: f.file, Kind: Format})
	}
}

// changeWhole records a change of the file as a whole.
func (f *filePair) changeWhole() {
	f.changes = append(f.changes, Change{File: f.file, Kind: kindOf(f.from != nil, f.to != nil)})
}

// kindOf is what happened to something that from and to have or not.
func kindOf(from, to bool) Kind {
	switch {
	case !from:
		return Added
	case !to:
		return Removed
	}
	return Changed
}

// moves matches objects that left a file with new ones in another. A Kptfile belongs to its folder and does not
// move.
func (c *comparison) moves() (both []objectPair, gone, fresh []*entry) {
	for i := range c.files {
		gone, fresh = append(gone, c.files[i].removed...), append(fresh, c.files[i].added...)
	}
	return pair(gone, fresh, func(s *entry) (document.Identity, bool) {
		return s.ID, s.ID.Kind != "" && s.ID.Name != "" && path.Base(s.file) != kptfile.Name
	})
}

// moved lists the move of an object and its other changes.
func (c *comparison) moved(o objectPair) []Change {
	move := o.to.change(Moved)
	move.From, move.To = object.ValueOf(o.from.file), object.ValueOf(o.to.file)
	return slices.Concat([]Change{move}, c.objects(o))
}
