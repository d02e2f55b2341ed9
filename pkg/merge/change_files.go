package merge

import (
	"path"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// comparison is one run of Changes.
type comparison struct {
	files    []twoFiles      // those that differ
	packages map[string]bool // folders that have a Kptfile in either tree
	defined  func() definitions
}

// twoFiles is one file in both trees, nil where it is not, and what is found out about it.
type twoFiles struct {
	file        string
	from, to    *pkgtree.Blob
	changes     []Change
	gone, fresh []*standing // without a counterpart in this file
}

func newComparison(from, to pkgtree.Tree) *comparison {
	c := &comparison{packages: map[string]bool{}}
	for _, tree := range []pkgtree.Tree{from, to} {
		for p := range tree.All() {
			if isKptfile(p) {
				c.packages[path.Dir(p)] = true
			}
		}
	}
	for _, p := range from.Diff(to) {
		c.files = append(c.files, twoFiles{file: p, from: from.Blob(p), to: to.Blob(p)})
	}
	c.defined = sync.OnceValue(func() definitions { return definitionsOf(from, to) })
	return c
}

// file compares the two versions of a file.
func (c *comparison) file(f *twoFiles) {
	if !isResourceFile(f.file) && !isKptfile(f.file) {
		f.whole()
		return
	}
	from, errFrom := readStanding(f.file, f.from)
	to, errTo := readStanding(f.file, f.to)
	if errFrom != nil || errTo != nil {
		f.whole()
		return
	}
	var both []twoObjects
	both, f.gone, f.fresh = matchInFile(f.file, from, to)
	for _, o := range both {
		f.changes = append(f.changes, c.objects(o)...)
	}
	switch {
	case len(f.changes) > 0 || len(f.gone) > 0 || len(f.fresh) > 0:
	case f.from == nil || f.to == nil: // it holds no object
		f.whole()
	case !f.saySame(from, to):
		f.changes = append(f.changes, Change{File: f.file, Kind: Format})
	}
}

// whole is the change of a file that is not looked into.
func (f *twoFiles) whole() {
	f.changes = append(f.changes, Change{File: f.file, Kind: kindOf(f.from != nil, f.to != nil)})
}

// kindOf is what happened to what was there or not, and is there or not.
func kindOf(from, to bool) ChangeKind {
	switch {
	case !from:
		return Added
	case !to:
		return Removed
	}
	return Changed
}

// moves matches the objects that left a file with those that are new in another. A Kptfile is about the
// folder it stands in, and moves nowhere.
func (c *comparison) moves() (both []twoObjects, gone, fresh []*standing) {
	for i := range c.files {
		gone, fresh = append(gone, c.files[i].gone...), append(fresh, c.files[i].fresh...)
	}
	return pairUp(gone, fresh, func(s *standing) (identity, bool) {
		return s.id, s.id.kind != "" && s.id.name != "" && path.Base(s.file) != kptfile.Name
	})
}

// moved is an object in its new place, and what is different about it.
func (c *comparison) moved(o twoObjects) []Change {
	move := o.to.change(Moved)
	move.From, move.To = word(o.from.file), word(o.to.file)
	return slices.Concat([]Change{move}, c.objects(o))
}
