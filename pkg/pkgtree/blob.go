package pkgtree

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary
	"strconv"
	"sync"
)

// Blob is the content of one file, with its Git object id computed at most once. It is shared
// between Trees and goroutines and never changed.
type Blob struct {
	data []byte
	once sync.Once
	id   [sha1.Size]byte
}

// NewBlob makes a Blob of data, which the caller must not change afterwards.
func NewBlob(data []byte) *Blob { return &Blob{data: data} }

// NewGitBlob is NewBlob for content whose Git id is already known, because it was read from Git.
func NewGitBlob(data []byte, id [sha1.Size]byte) *Blob {
	b := &Blob{data: data, id: id}
	b.once.Do(func() {})
	return b
}

// Data returns the content, shared: the caller must not change it.
func (b *Blob) Data() []byte { return b.data }

// GitID is the id that Git gives to a blob of this content.
func (b *Blob) GitID() [sha1.Size]byte {
	b.once.Do(func() {
		h := sha1.New() // #nosec G401
		h.Write([]byte("blob " + strconv.Itoa(len(b.data)) + "\x00"))
		h.Write(b.data)
		h.Sum(b.id[:0])
	})
	return b.id
}

// Equal reports whether both blobs hold the same bytes, or are both nil.
func (b *Blob) Equal(o *Blob) bool {
	return b == o || b != nil && o != nil && bytes.Equal(b.data, o.data)
}
