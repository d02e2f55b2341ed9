package render

import (
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// readFolder reads every resource file of tree, whatever packages are in it, as p's own.
func (p *pkg) readFolder(tree pkgtree.Tree, limits krm.Limits) error {
	w := folderWalk{ignoreRules: ignoreRules{tree: tree}, packages: map[string]*pkg{".": p}}
	paths := tree.Paths()
	for _, file := range paths {
		if path.Base(file) == kptfileName {
			w.packages[path.Dir(file)] = p
		}
	}
	slices.SortFunc(paths, walkOrder)
	var found []resourceFile
	for _, file := range paths {
		if isResourceFile(file) && !w.passes(file) {
			found = append(found, resourceFile{p, file})
		}
	}
	if w.bad != nil {
		return w.bad
	}
	return readFiles(tree, found, Options{Limits: limits})
}

// folderWalk is a walk through a folder as kpt takes it: in each package the .krmignore at its root
// counts, and no other.
type folderWalk struct {
	ignoreRules
	packages map[string]*pkg // the root and the folders that hold a Kptfile; only the keys count
}

// passes reports whether the walk passes file by: the rules of its package hide it, be it a
// Kptfile, or the rules of a package around hide the folder of a package on the way.
func (w *folderWalk) passes(file string) bool {
	dir := enclosing(w.packages, path.Dir(file))
	if w.hides(dir, file) {
		return true
	}
	for dir != "." {
		outer := enclosing(w.packages, path.Dir(dir))
		if m := w.matcher(outer); m != nil && matchesOnTheWay(m, outer, dir+"/") {
			return true
		}
		dir = outer
	}
	return false
}

// ReadFolder reads the resources in tree as Eval does, all of them to the end.
func ReadFolder(tree pkgtree.Tree, limits krm.Limits) ([]*krm.Object, error) {
	p := &pkg{dir: "."}
	if err := p.readFolder(tree, limits); err != nil {
		return nil, err
	}
	return p.items, lateOf(p.items).check(p.items)
}
