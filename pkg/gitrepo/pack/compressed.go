package pack

import (
	"bytes"
	"compress/zlib"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/s2"
)

// large is the size above which blobs stay as they were sent: few packages have such files, and a few hundred bytes of a
// pack may expand to a gigabyte of them. medium is the size above which others are compressed anew, which takes a twentieth of
// the time that their hash takes: they are the works of fleets, and take a twentieth of the memory then.
const (
	large  = 1 << 20
	medium = 16 << 10
)

// compressed is a blob or a tree that is unpacked for each read.
type compressed struct {
	size     int64
	deflated []byte  // its content; nil for others
	packed   []byte  // its content, in the format s2; nil for others
	delta    []byte  // applied to base
	base     *Object // of the same kind
	depth    int     // of small changes: how many deltas are applied in a row
}

// Compact returns an object that takes less memory: a blob of medium size or more is compressed if that saves at least half of it.
func (o *Object) Compact() *Object {
	if o.Kind != plumbing.BlobObject || len(o.Data) < medium {
		return o
	}
	if s2.MaxEncodedLen(len(o.Data)) < 0 { // it is too large for the format
		return o
	}
	packed := s2.Encode(nil, o.Data)
	if len(packed) > len(o.Data)/2 {
		return o
	}
	return &Object{Kind: o.Kind, ID: o.ID, compressed: &compressed{size: int64(len(o.Data)), packed: bytes.Clone(packed)}}
}

// Packed returns the content in the format s2, if that is how the object holds it, and else nil. The caller must not change it.
func (o *Object) Packed() []byte {
	if o.compressed == nil {
		return nil
	}
	return o.compressed.packed
}

// unpack returns the content of what is no delta.
func (c *compressed) unpack() ([]byte, error) {
	if c.packed != nil {
		return s2.Decode(nil, c.packed)
	}
	z, err := zlib.NewReader(bytes.NewReader(c.deflated))
	if err != nil {
		return nil, err
	}
	data := make([]byte, c.size)
	_, err = io.ReadFull(z, data)
	return data, err
}
