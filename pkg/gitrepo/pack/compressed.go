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

// Compact returns an object that takes less memory: a blob of medium size or more is compressed if that saves at least half of it.
func (o *Object) Compact() *Object {
	if o.Kind != plumbing.BlobObject || o.IsCompressed() || len(o.data) < medium {
		return o
	}
	if s2.MaxEncodedLen(len(o.data)) < 0 { // it is too large for the format
		return o
	}
	packed := s2.Encode(nil, o.data)
	if len(packed) > len(o.data)/2 {
		return o
	}
	return &Object{Kind: o.Kind, ID: o.ID, form: formS2, data: bytes.Clone(packed), size: o.size}
}

// Packed returns the content in the format s2, if that is how the object holds it, and else nil. The caller must not change it.
func (o *Object) Packed() []byte {
	if o.form != formS2 {
		return nil
	}
	return o.data
}

// unpack returns the content of what is no delta.
func (o *Object) unpack() ([]byte, error) {
	switch o.form {
	case formWhole:
		return o.data, nil
	case formS2:
		return s2.Decode(nil, o.data)
	}
	z, err := zlib.NewReader(bytes.NewReader(o.data))
	if err != nil {
		return nil, err
	}
	data := make([]byte, o.size)
	_, err = io.ReadFull(z, data)
	return data, err
}
