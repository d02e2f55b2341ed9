package merge

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

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
