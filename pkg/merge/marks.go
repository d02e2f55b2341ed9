package merge

import (
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// AddMarks returns tree with kpt's marks on every object that can have them, by which later merges identify it.
// A mark that exists is kept. If any file cannot be read the tree is returned unchanged, as it is when there is
// nothing to add; a file that is a list, and so has no object, is skipped.
func AddMarks(tree pkgtree.Tree) pkgtree.Tree {
	type file struct {
		path        string
		was, marked *pkgtree.Blob
		err         error
	}
	var files []file
	for p, b := range tree.All() {
		if document.IsResourceFile(p) && !isListFile(b) {
			files = append(files, file{path: p, was: b})
		}
	}
	parallel.For(len(files), func(i int) {
		files[i].marked, files[i].err = document.Mark(files[i].path, files[i].was)
	})
	changes := map[string][]byte{}
	for _, f := range files {
		if f.err != nil {
			return tree
		}
		if f.marked != f.was {
			changes[f.path] = f.marked.Data()
		}
	}
	out, err := tree.Apply(changes)
	if err != nil { // the paths are those of tree
		return tree
	}
	return out
}
