package pkgtree

import (
	"crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary
	"crypto/sha256"
	"encoding/binary"
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
func PackBlob(data []byte) (b *Blob) {
	asKept(data, func(kept []byte) {
		kept = append([]byte{}, kept...) // an empty file is not a missing one
		if b = NewBlob(kept); len(kept) < len(data) {
			b = &Blob{packed: kept, size: len(data)}
		}
	})
	return b
}

// asKept calls do with data as a Blob keeps it: compressed, in a buffer that is used again, or as it is.
func asKept(data []byte, do func(kept []byte)) {
	if len(data) >= minPacked {
		buf := buffers.Get().(*[]byte)
		defer buffers.Put(buf)
		if *buf = s2.Encode((*buf)[:cap(*buf)], data); isKept(len(*buf), len(data)) {
			data = *buf
		}
	}
	do(data)
}

// isKept reports whether content of that size is kept compressed.
func isKept(packed, size int) bool { return size >= minPacked && packed <= size/2 }

// Digest identifies the content for programs of the same build: it is a hash of the content as PackBlob keeps it, and of its size. That
// takes a fifth of the time for a large file, because the compressed one is short.
func (b *Blob) Digest() (sum [sha256.Size]byte) {
	hash := func(kept []byte) {
		h := sha256.New()
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(b.size))) // #nosec G115 -- a length; no hash fails
		_, _ = h.Write(kept)
		h.Sum(sum[:0])
	}
	if b.packed != nil && isKept(len(b.packed), b.size) {
		hash(b.packed)
	} else {
		b.View(func(data []byte) { asKept(data, hash) })
	}
	return sum
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
