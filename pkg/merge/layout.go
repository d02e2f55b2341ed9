package merge

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// layout knows the files and packages of the three trees. A folder is a package if it has a Kptfile in any of
// them.
type layout struct {
	base, theirs, ours pkgtree.Tree
	files              []string            // of all three, sorted
	subpackages        []string            // shallow before deep
	members            map[string][]string // files by package, "." for the root
	folders            map[side]map[string]bool
}

func newLayout(b, t, o pkgtree.Tree) layout {
	l := layout{base: b, theirs: t, ours: o, members: map[string][]string{}, folders: map[side]map[string]bool{}}
	all := map[string]bool{}
	for s, tree := range map[side]pkgtree.Tree{base: b, theirs: t, ours: o} {
		l.folders[s] = foldersOf(tree, all)
	}
	l.files = slices.Sorted(maps.Keys(all))
	packages := map[string]bool{}
	for _, p := range l.files {
		if dir := path.Dir(p); path.Base(p) == kptfile.Name && dir != "." {
			packages[dir] = true
		}
	}
	l.subpackages = slices.SortedFunc(maps.Keys(packages), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	for _, p := range l.files {
		dir := document.NearestPackage(packages, p)
		l.members[dir] = append(l.members[dir], p)
	}
	return l
}

// foldersOf returns the folders of tree and adds its files to all.
func foldersOf(tree pkgtree.Tree, all map[string]bool) map[string]bool {
	out := map[string]bool{}
	for p := range tree.All() {
		all[p] = true
		for dir := path.Dir(p); dir != "." && !out[dir]; dir = path.Dir(dir) {
			out[dir] = true
		}
	}
	return out
}

func (l *layout) versions(p string) versions {
	return versions{l.base.Blob(p), l.theirs.Blob(p), l.ours.Blob(p)}
}

// below are the files of a folder and its subfolders.
func (l *layout) below(dir string) []string {
	from, _ := slices.BinarySearch(l.files, dir+"/")
	to, _ := slices.BinarySearch(l.files, dir+"0") // the character after the slash
	return l.files[from:to]
}

// has reports whether a folder is in a tree.
func (l *layout) has(s side, dir string) bool { return l.folders[s][dir] }
