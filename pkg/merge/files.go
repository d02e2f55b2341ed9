package merge

import (
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Conflict is what Files reports: a file that both sides changed, and not to the same content.
type Conflict struct {
	Path   string
	Theirs Change // what upstream did to it
	Ours   Change // what was done to it here
}

// Change is what one side did to a file.
type Change string

// What can happen to a file.
const (
	Added   Change = "added"
	Changed Change = "changed"
	Deleted Change = "deleted"
)

// Files merges theirs into ours. Where they disagree, ours stands and a Conflict says so.
func Files(base, theirs, ours pkgtree.Tree) (pkgtree.Tree, []Conflict) {
	merged := map[string]*pkgtree.Blob{}
	for p, b := range ours.All() {
		merged[p] = b
	}
	var conflicts []Conflict
	for _, p := range base.Diff(theirs) {
		b, t, o := base.Blob(p), theirs.Blob(p), ours.Blob(p)
		switch {
		case same(t, o):
		case !same(b, o):
			conflicts = append(conflicts, Conflict{Path: p, Theirs: change(b, t), Ours: change(b, o)})
		case t == nil:
			delete(merged, p)
		default:
			merged[p] = t
		}
	}
	tree, err := pkgtree.FromBlobs(merged)
	if err != nil { // one side has a directory where the other has a file
		return ours, append(conflicts, Conflict{Path: err.(*pkgtree.PathError).Path, Theirs: Added, Ours: Added})
	}
	return tree, conflicts
}

func same(a, b *pkgtree.Blob) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b)
}

func change(from, to *pkgtree.Blob) Change {
	switch {
	case from == nil:
		return Added
	case to == nil:
		return Deleted
	}
	return Changed
}
