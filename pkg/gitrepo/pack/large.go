package pack

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// largeBlob computes the id of a large blob while it arrives and stores the blob compressed.
func (p *reader) largeBlob(start, size int64) error {
	if err := p.charge(size); err != nil {
		return err
	}
	p.copyTo = &bytes.Buffer{}
	defer func() { p.copyTo = nil }()
	if err := p.nextInflate(); err != nil {
		return err
	}
	name := plumbing.NewHasher(plumbing.BlobObject, size)
	n, err := io.Copy(&boundedHash{name, p}, io.LimitReader(p.inflate, size+1))
	switch {
	case err != nil:
		return err
	case n != size:
		return fmt.Errorf("its header gives %d bytes, its data has another length", size)
	}
	if err := p.count(int64(p.copyTo.Len())); err != nil {
		return err
	}
	o := &Object{Kind: plumbing.BlobObject, ID: name.Sum(), form: formDeflated, data: bytes.Clone(p.copyTo.Bytes()), size: size}
	return p.addAll(start, o)
}

// boundedHash computes an id and checks the stored compressed bytes against the bounds meanwhile.
type boundedHash struct {
	plumbing.Hasher
	p *reader
}

func (h *boundedHash) Write(data []byte) (int, error) {
	if kept := int64(h.p.copyTo.Len()); h.p.total+kept > h.p.bounds.Total {
		return 0, h.p.totalError()
	}
	return h.Hasher.Write(data)
}

// resolve applies d to its base. A large blob stays a delta, and so does what is nearly its base.
func (p *reader) resolve(d *delta, base *Object) (*Object, error) {
	from, err := p.contentOf(base)
	if err != nil {
		return nil, err
	}
	data, err := applyDelta(from, d.data)
	if err != nil {
		return nil, err
	}
	o := NewObjectOf(base.Kind, plumbing.ComputeHash(base.Kind, data), data)
	switch {
	case base.Kind == plumbing.BlobObject && len(data) > large:
		o.form, o.data, o.base = formDelta, d.data, base
		p.last, p.lastData = o, data
		return o, nil
	case isSmallChange(base, len(data), len(d.data)):
		p.total -= int64(len(data)) // which counted it whole
		p.last, p.lastData = o.changed(base, d.data), data
		return p.last, nil
	case len(data) > large: // smaller ones were counted before
		err = p.count(int64(len(data)))
	}
	if err == nil && base.isDeep() {
		return p.rebase(o, base.first())
	}
	return o, err
}

// rebase returns an object as a delta of the first one of a long chain, if it is nearly that.
func (p *reader) rebase(o, first *Object) (*Object, error) {
	if err := p.charge(first.Size()); err != nil {
		return nil, err
	}
	small := o.CompactLike(first)
	if small != o {
		p.total += small.MemorySize() - int64(len(o.data))
		p.last, p.lastData = small, o.data
	}
	return small, nil
}

// contentOf returns the content of an object. It caches the last base and the last result, as deltas of one base, and chains of
// deltas, are mostly adjacent. Unpacking another counts as work.
func (p *reader) contentOf(o *Object) ([]byte, error) {
	switch o {
	case p.last:
		return p.lastData, nil
	case p.made:
		return p.madeData, nil
	}
	for at := o; at != nil && at.IsCompressed(); at = at.base {
		if err := p.charge(at.size); err != nil {
			return nil, err
		}
	}
	data, err := o.Content()
	if err == nil && o.IsCompressed() {
		p.last, p.lastData = o, data
	}
	return data, err
}
