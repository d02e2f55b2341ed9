package gitrepo

import (
	"fmt"
	"weak"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// blobs returns blobs without keeping them.
func blobs(from objects) blobReader {
	return func(id Hash, most int64) (*pkgtree.Blob, error) {
		o, err := load(from, plumbing.BlobObject, id)
		if err != nil {
			return nil, err
		}
		if o.Size() > most {
			return nil, errTooLarge
		}
		return blobOf(o)
	}
}

// blobOf returns the content of a blob as a file. What is compressed stays so, if a file can be.
func blobOf(o *pack.Object) (*pkgtree.Blob, error) {
	if packed := o.Packed(); packed != nil {
		return pkgtree.PackedGitBlob(packed, int(o.Size()), o.ID), nil
	}
	data, err := o.Content()
	return pkgtree.NewGitBlob(data, o.ID), err
}

// blob returns one value per content, so that Trees share it. What is held compressed is made anew when no Tree has it.
func (r *Repo) blob(id Hash, most int64) (*pkgtree.Blob, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.blobs[id]
	if b == nil {
		b = r.shared[id].Value()
	}
	if b != nil {
		return b, nil
	}
	o := r.store[id]
	if o == nil || o.Kind != plumbing.BlobObject {
		return nil, fmt.Errorf("blob %s is missing", id)
	}
	if o.Size() > most {
		return nil, errTooLarge
	}
	b, err := blobOf(o)
	if err != nil {
		return nil, err
	}
	if o.IsCompressed() {
		r.shared[id] = weak.Make(b)
	} else {
		r.blobs[id] = b
	}
	return b, nil
}
