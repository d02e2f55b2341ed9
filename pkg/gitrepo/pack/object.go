package pack

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// Object is one Git object with its id. It is a read-only plumbing.EncodedObject that go-git reads without a copy of
// the bytes.
type Object struct {
	Kind plumbing.ObjectType
	ID   plumbing.Hash
	Data []byte // nil for a compressed blob or tree: Content returns the bytes of every object

	compressed *compressed // nil if the content is in Data
}

// NewObject computes the id of data, which the caller must not change afterwards.
func NewObject(kind plumbing.ObjectType, data []byte) *Object {
	h := sha1.New() // #nosec G401
	h.Write([]byte(kind.String() + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	o := &Object{Kind: kind, Data: data}
	h.Sum(o.ID[:0])
	return o
}

var errReadOnly = errors.New("this object cannot be written")

// Hash implements plumbing.EncodedObject.
func (o *Object) Hash() plumbing.Hash { return o.ID }

// Type implements plumbing.EncodedObject.
func (o *Object) Type() plumbing.ObjectType { return o.Kind }

// SetType implements plumbing.EncodedObject.
func (o *Object) SetType(plumbing.ObjectType) {}

// SetSize implements plumbing.EncodedObject.
func (o *Object) SetSize(int64) {}

// Writer implements plumbing.EncodedObject. An object of a pack is read-only.
func (o *Object) Writer() (io.WriteCloser, error) { return nil, errReadOnly }

// Reader implements plumbing.EncodedObject.
func (o *Object) Reader() (io.ReadCloser, error) {
	data, err := o.Content()
	return io.NopCloser(bytes.NewReader(data)), err
}

// IsCompressed reports whether each call of Content unpacks the object.
func (o *Object) IsCompressed() bool { return o.compressed != nil }

// Content returns the bytes of the object. The caller must not change them.
func (o *Object) Content() ([]byte, error) {
	if o.compressed == nil {
		return o.Data, nil
	}
	var chain []*compressed // a loop, as a chain may be as long as its pack
	at := o
	for ; at.compressed != nil && at.compressed.base != nil; at = at.compressed.base {
		chain = append(chain, at.compressed)
	}
	data, err := at.Data, error(nil)
	if at.compressed != nil {
		data, err = at.compressed.unpack()
	}
	isOwn, spare := at.compressed != nil, []byte(nil) // no object has the bytes of spare any more
	for _, c := range slices.Backward(chain) {
		if err != nil {
			break
		}
		var next []byte
		if next, err = applyDeltaIn(spare, data, c.delta); isOwn {
			spare = data
		}
		data, isOwn = next, true
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", o.ID, err)
	}
	return data, nil
}

// Size returns the length of the content.
func (o *Object) Size() int64 {
	if o.compressed != nil {
		return o.compressed.size
	}
	return int64(len(o.Data))
}

// MemorySize returns the number of bytes of the object in memory.
func (o *Object) MemorySize() int64 {
	if o.compressed != nil {
		return int64(len(o.compressed.deflated) + len(o.compressed.packed) + len(o.compressed.delta))
	}
	return int64(len(o.Data))
}
