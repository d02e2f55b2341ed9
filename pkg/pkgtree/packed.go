package pkgtree

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
)

// minPacked is the least size of a file that is kept compressed. Files of that size come in thousands: they are the works of a fleet,
// which are alike. To compress one takes a twentieth of the time that its hash takes.
const minPacked = 16 << 10

// maxBuffer is the largest buffer that is kept for the next file.
const maxBuffer = 1 << 20

// buffers are for content that is used for a short time.
var buffers = bufferPool{sync.Pool{New: func() any { return new([]byte) }}}

type bufferPool struct{ sync.Pool }

// Put keeps buf for the next Get, unless a huge file made it large.
func (p *bufferPool) Put(buf *[]byte) {
	if cap(*buf) <= maxBuffer {
		p.Pool.Put(buf)
	}
}

// PackBlob makes a Blob of data, which it copies: the content is kept compressed if it is large and that saves at least half of it.
func PackBlob(data []byte) *Blob {
	if len(data) >= minPacked {
		buf := buffers.Get().(*[]byte)
		defer buffers.Put(buf)
		*buf = s2.Encode((*buf)[:cap(*buf)], data)
		if len(*buf) <= len(data)/2 {
			return &Blob{packed: bytes.Clone(*buf), size: len(data)}
		}
	}
	if data = bytes.Clone(data); data == nil {
		data = []byte{} // an empty file is not a missing one
	}
	return NewBlob(data)
}

// PackGitBlob is PackBlob for content whose Git id is already known.
func PackGitBlob(data []byte, id [sha1.Size]byte) *Blob {
	return PackBlob(data).withID(id)
}

// PackedGitBlob is PackGitBlob for content that is compressed already, in the format s2, and has that size. The caller must have
// compressed it, and not change it afterwards.
func PackedGitBlob(packed []byte, size int, id [sha1.Size]byte) *Blob {
	b := &Blob{packed: packed, size: size, id: id}
	b.once.Do(func() {})
	return b
}

// MakeBlob is PackBlob of what fill appends to a buffer, which is used again.
func MakeBlob(fill func(buf []byte) ([]byte, error)) (*Blob, error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := fill((*buf)[:0])
	if err != nil {
		return nil, err
	}
	*buf = data
	return PackBlob(data), nil
}

// unpack returns what packed was made of, in into if that is large enough.
func unpack(into, packed []byte) []byte {
	data, err := s2.Decode(into, packed)
	if err != nil { // memory was overwritten
		panic(fmt.Sprintf("a file in memory cannot be read: %v", err))
	}
	return data
}
