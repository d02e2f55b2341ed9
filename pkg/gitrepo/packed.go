package gitrepo

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// big is the size above which blobs stay as they came: few packages have such files, and a few hundred bytes of a
// pack may stand for a gigabyte of them.
const big = 1 << 20

// packed is a large blob that is unpacked each time it is read.
type packed struct {
	size     int64
	deflated []byte   // its content; nil for a delta
	delta    []byte   // how it is made of base
	base     *encoded // a blob
}

// content is what the object holds. It is not to be changed.
func (o *encoded) content() ([]byte, error) {
	if o.packed == nil {
		return o.data, nil
	}
	var way []*packed // a list, and no recursion: chains may be as long as a pack
	at := o
	for ; at.packed != nil && at.packed.base != nil; at = at.packed.base {
		way = append(way, at.packed)
	}
	data, err := at.data, error(nil)
	if at.packed != nil {
		data, err = at.packed.inflate()
	}
	for _, step := range slices.Backward(way) {
		if err != nil {
			break
		}
		data, err = applyDelta(data, step.delta)
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", o.id, err)
	}
	return data, nil
}

func (p *packed) inflate() ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(p.deflated))
	if err != nil {
		return nil, err
	}
	data := make([]byte, p.size)
	_, err = io.ReadFull(z, data)
	return data, err
}

// size is how many bytes the object holds, and held how many of them are in memory.
func (o *encoded) size() int64 {
	if o.packed != nil {
		return o.packed.size
	}
	return int64(len(o.data))
}

func (o *encoded) held() int64 {
	if o.packed != nil {
		return int64(len(o.packed.deflated) + len(o.packed.delta))
	}
	return int64(len(o.data))
}

// bigBlob names a large blob as it goes by, and keeps it as it came.
func (p *packReader) bigBlob(start, size int64) error {
	if err := p.charge(size); err != nil {
		return err
	}
	p.keeping = &bytes.Buffer{}
	defer func() { p.keeping = nil }()
	if err := p.nextInflate(); err != nil {
		return err
	}
	name := plumbing.NewHasher(plumbing.BlobObject, size)
	n, err := io.Copy(&heldHash{name, p}, io.LimitReader(p.inflate, size+1))
	switch {
	case err != nil:
		return err
	case n != size:
		return fmt.Errorf("it says that it has %d bytes, and has not", size)
	}
	if err := p.hold(int64(p.keeping.Len())); err != nil {
		return err
	}
	o := &encoded{kind: plumbing.BlobObject, id: name.Sum(), packed: &packed{size: size, deflated: bytes.Clone(p.keeping.Bytes())}}
	return p.keep(start, o)
}

// heldHash digests what is unpacked, and holds what is kept of it to the bounds meanwhile.
type heldHash struct {
	plumbing.Hasher
	p *packReader
}

func (h *heldHash) Write(data []byte) (int, error) {
	if kept := int64(h.p.keeping.Len()); h.p.total+kept > h.p.bounds.Total {
		return 0, h.p.tooMuch()
	}
	return h.Hasher.Write(data)
}

// made is the object that d makes of base. A large blob stays a delta.
func (p *packReader) made(d *delta, base *encoded) (*encoded, error) {
	from, err := p.contentOf(base)
	if err != nil {
		return nil, err
	}
	data, err := applyDelta(from, d.data)
	if err != nil {
		return nil, err
	}
	o := &encoded{kind: base.kind, id: plumbing.ComputeHash(base.kind, data)}
	switch {
	case base.kind == plumbing.BlobObject && len(data) > big:
		o.packed = &packed{size: int64(len(data)), delta: d.data, base: base}
		p.last, p.lastData = o, data
		return o, nil
	case len(data) > big: // else it was counted before
		err = p.hold(int64(len(data)))
	}
	o.data = data
	return o, err
}

// contentOf is the content of an object. That of the last large one is kept: deltas of one base, and chains of
// deltas, mostly come together. Unpacking another counts as work.
func (p *packReader) contentOf(o *encoded) ([]byte, error) {
	if o == p.last {
		return p.lastData, nil
	}
	for at := o; at.packed != nil; at = at.packed.base {
		if err := p.charge(at.packed.size); err != nil {
			return nil, err
		}
		if at.packed.base == nil {
			break
		}
	}
	data, err := o.content()
	if err == nil && o.packed != nil {
		p.last, p.lastData = o, data
	}
	return data, err
}
