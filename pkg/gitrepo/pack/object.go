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
	ID   plumbing.Hash
	Kind plumbing.ObjectType

	form  form
	depth uint8   // of small changes: how many deltas are applied in a row
	data  []byte  // the content, in this form
	size  int64   // of the content
	base  *Object // of the same kind, to which data is applied if it is a delta
}

// form is how an object holds its content. (Objects are many, and kept: this struct takes 64 bytes.)
type form uint8

const (
	formWhole    form = iota
	formDeflated      // as it was sent
	formS2            // compressed anew
	formDelta         // of base
)

// NewObject computes the id of data, which the caller must not change afterwards.
func NewObject(kind plumbing.ObjectType, data []byte) *Object {
	h := sha1.New() // #nosec G401
	h.Write([]byte(kind.String() + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return NewObjectOf(kind, plumbing.Hash(h.Sum(nil)), data)
}

// NewObjectOf is NewObject for data whose id is known.
func NewObjectOf(kind plumbing.ObjectType, id plumbing.Hash, data []byte) *Object {
	return &Object{ID: id, Kind: kind, data: data, size: int64(len(data))}
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
func (o *Object) IsCompressed() bool { return o.form != formWhole }

// Base returns the object of which o is a delta in memory; nil if it is none.
func (o *Object) Base() *Object { return o.base }

// Unpacked returns the object with its content in memory, so that it holds no other; o itself if that cannot be read.
func (o *Object) Unpacked() *Object {
	data, err := o.Content()
	if err != nil {
		return o
	}
	return NewObjectOf(o.Kind, o.ID, data)
}

// Content returns the bytes of the object. The caller must not change them.
func (o *Object) Content() ([]byte, error) {
	var chain []*Object // a loop, as a chain may be as long as its pack
	at := o
	for ; at.form == formDelta; at = at.base {
		chain = append(chain, at)
	}
	data, err := at.unpack()
	isOwn, spare := at.IsCompressed(), []byte(nil) // no object has the bytes of spare any more
	for _, c := range slices.Backward(chain) {
		if err != nil {
			break
		}
		var next []byte
		if next, err = applyDeltaIn(spare, data, c.data); isOwn {
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
func (o *Object) Size() int64 { return o.size }

// MemorySize returns the number of bytes of the object in memory.
func (o *Object) MemorySize() int64 { return int64(len(o.data)) }
