package load

import (
	"path"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Folder reads every resource file of tree as that of one package, whatever packages are in it.
func Folder(tree pkgtree.Tree, limits krm.Limits) (*Package, error) {
	p := &Package{Dir: "."}
	w := folderWalk{ignoreRules: ignoreRules{tree: tree}, packages: map[string]*Package{".": p}}
	files := resourceFiles(tree)
	for _, file := range files {
		if path.Base(file) == kptfile.Name {
			w.packages[path.Dir(file)] = p
		}
	}
	r := reader{tree: tree, limits: limits}
	for _, file := range files {
		if !w.skips(file) {
			r.files = append(r.files, resourceFile{p, file})
		}
	}
	if w.invalid != nil {
		return p, w.invalid
	}
	return p, r.read()
}

// folderWalk is a walk through a folder as kpt takes it: in each package the .krmignore at its root counts, and no other.
type folderWalk struct {
	ignoreRules
	packages map[string]*Package // the root and the folders that hold a Kptfile; only the keys count
}

// skips reports whether the rules of its package hide file, a Kptfile included, or the rules of an outer package hide the
// folder of a package on the way to it.
func (w *folderWalk) skips(file string) bool {
	dir := enclosing(w.packages, path.Dir(file))
	if w.hides(dir, file) {
		return true
	}
	for dir != "." {
		outer := enclosing(w.packages, path.Dir(dir))
		if w.hides(outer, dir+"/") {
			return true
		}
		dir = outer
	}
	return false
}
