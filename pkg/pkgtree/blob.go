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
	data   []byte // nil if packed is set
	packed []byte // the content, compressed
	size   int
	once   sync.Once
	id     [sha1.Size]byte
	known  bool // the id was known from the start
}

// NewBlob makes a Blob of data, which the caller must not change afterwards.
func NewBlob(data []byte) *Blob { return &Blob{data: data, size: len(data)} }

// NewGitBlob is NewBlob for content whose Git id is already known, because it was read from Git.
func NewGitBlob(data []byte, id [sha1.Size]byte) *Blob {
	return NewBlob(data).withID(id)
}

// withID sets the id of a new Blob.
func (b *Blob) withID(id [sha1.Size]byte) *Blob {
	b.id, b.known = id, true
	b.once.Do(func() {})
	return b
}

// Data returns the content, shared: the caller must not change it. For a packed Blob it is a new copy each time.
func (b *Blob) Data() []byte {
	if b.packed != nil {
		return unpack(nil, b.packed)
	}
	return b.data
}

// View calls do with the content, which do must not change or keep: for a packed Blob it stands in a buffer that is used again.
func (b *Blob) View(do func(data []byte)) {
	if b.packed == nil {
		do(b.data)
		return
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = unpack((*buf)[:cap(*buf)], b.packed)
	do(*buf)
}

// Size is the number of bytes of the content.
func (b *Blob) Size() int { return b.size }

// GitID is the id that Git gives to a blob of this content.
func (b *Blob) GitID() [sha1.Size]byte {
	b.once.Do(func() {
		b.View(func(data []byte) {
			h := sha1.New() // #nosec G401
			h.Write([]byte("blob " + strconv.Itoa(len(data)) + "\x00"))
			h.Write(data)
			h.Sum(b.id[:0])
		})
	})
	return b.id
}

// Equal reports whether both blobs hold the same bytes, or are both nil.
func (b *Blob) Equal(o *Blob) bool {
	if b == o || b == nil || o == nil || b.size != o.size {
		return b == o
	}
	if b.known && o.known && b.id != o.id {
		return false
	}
	if b.packed != nil && bytes.Equal(b.packed, o.packed) {
		return true
	}
	same := false
	o.View(func(data []byte) { same = b.Holds(data) })
	return same
}

// Holds reports whether the content is data.
func (b *Blob) Holds(data []byte) (same bool) {
	if b.size == len(data) {
		b.View(func(own []byte) { same = bytes.Equal(own, data) })
	}
	return same
}
