package gitrepo

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// encoded is one Git object whose name is known. It serves go-git as a read-only object, without
// a copy of the bytes.
type encoded struct {
	kind plumbing.ObjectType
	id   Hash
	data []byte

	packed *packed // nil for what is in data
}

// newEncoded names data, which is handed over.
func newEncoded(kind plumbing.ObjectType, data []byte) *encoded {
	h := sha1.New() // #nosec G401
	h.Write([]byte(kind.String() + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	o := &encoded{kind: kind, data: data}
	h.Sum(o.id[:0])
	return o
}

var errReadOnly = errors.New("this object cannot be written")

func (o *encoded) Hash() plumbing.Hash             { return plumbing.Hash(o.id) }
func (o *encoded) Type() plumbing.ObjectType       { return o.kind }
func (o *encoded) Size() int64                     { return o.size() }
func (o *encoded) SetType(plumbing.ObjectType)     {}
func (o *encoded) SetSize(int64)                   {}
func (o *encoded) Writer() (io.WriteCloser, error) { return nil, errReadOnly }
func (o *encoded) Reader() (io.ReadCloser, error) {
	data, err := o.content()
	return io.NopCloser(bytes.NewReader(data)), err
}

// objects is where objects are read: what the remote is known to have, or that with a Stage laid
// over it. It returns nil, nil for an object it does not have.
type objects interface {
	object(Hash) (*encoded, error)
}

// load reads an object that must be there and of the given kind.
func load(from objects, kind plumbing.ObjectType, id Hash) (*encoded, error) {
	o, err := from.object(id)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, fmt.Errorf("%s %s is missing", kind, id)
	case o.kind != kind:
		return nil, fmt.Errorf("%s is a %s, want a %s", id, o.kind, kind)
	}
	return o, nil
}
