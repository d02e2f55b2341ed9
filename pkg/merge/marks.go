package merge

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// AddMarks returns tree with kpt's marks on every object that takes them, by which later merges know it
// again. A mark that is there is kept. If any file cannot be read the tree comes back as it is, as it
// does when there is nothing to add; one that is a list, and so holds no object, is passed over.
func AddMarks(tree pkgtree.Tree) pkgtree.Tree {
	type file struct {
		path        string
		was, marked *pkgtree.Blob
		err         error
	}
	var files []file
	for p, b := range tree.All() {
		if isResourceFile(p) && !isListFile(b) {
			files = append(files, file{path: p, was: b})
		}
	}
	inParallel(len(files), func(i int) {
		files[i].marked, files[i].err = marks(files[i].path, files[i].was)
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

// markedFile is a file with marks, and one that cannot be read as it is.
func markedFile(file string, b *pkgtree.Blob) *pkgtree.Blob {
	if b == nil || !isResourceFile(file) {
		return b
	}
	if marked, err := marks(file, b); err == nil {
		return marked
	}
	return b
}

func marks(file string, b *pkgtree.Blob) (*pkgtree.Blob, error) {
	if hasMarks(b.Data()) {
		return b, nil
	}
	docs, err := readDocuments(file, b)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if d.unmarked {
			data, err := fileOf(docs)
			return pkgtree.NewBlob(data), err
		}
	}
	return b, nil
}

// sameContent reports whether two versions of a file say the same, marks apart.
func sameContent(file string, a, b *pkgtree.Blob) bool {
	if same(a, b) || a == nil || b == nil || !isResourceFile(file) {
		return same(a, b)
	}
	da, errA := readDocuments(file, a)
	db, errB := readDocuments(file, b)
	if errA != nil || errB != nil || len(da) != len(db) {
		return false
	}
	for i := range da {
		if (da[i].object == nil) != (db[i].object == nil) || da[i].object != nil && !krm.Same(da[i].object, db[i].object) {
			return false
		}
	}
	return true
}
