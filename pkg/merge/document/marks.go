package document

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Marked is a file with marks; a file that cannot be read is unchanged.
func Marked(file string, b *pkgtree.Blob) *pkgtree.Blob {
	if b == nil || !IsResourceFile(file) {
		return b
	}
	if marked, err := Mark(file, b); err == nil {
		return marked
	}
	return b
}

// Mark returns a file with a mark on each of its objects; one that has marks stays as it is.
func Mark(file string, b *pkgtree.Blob) (*pkgtree.Blob, error) {
	if HasMarks(b.Data()) {
		return b, nil
	}
	if data, ok := plainMark(b.Data()); ok {
		return pkgtree.NewBlob(data), nil
	}
	return markParsed(file, b)
}

// markParsed is Mark by parsing.
func markParsed(file string, b *pkgtree.Blob) (*pkgtree.Blob, error) {
	docs, err := ReadMarked(file, b)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if d.Unmarked {
			data, err := Bytes(docs)
			return pkgtree.NewBlob(data), err
		}
	}
	return b, nil
}

// SameContent reports whether two versions of a file are equal apart from marks.
func SameContent(file string, a, b *pkgtree.Blob) bool {
	if a.Equal(b) || a == nil || b == nil || !IsResourceFile(file) {
		return a.Equal(b)
	}
	da, errA := ReadMarked(file, a)
	db, errB := ReadMarked(file, b)
	if errA != nil || errB != nil || len(da) != len(db) {
		return false
	}
	for i := range da {
		if (da[i].Object == nil) != (db[i].Object == nil) || da[i].Object != nil && !krm.Same(da[i].Object, db[i].Object) {
			return false
		}
	}
	return true
}
