package pack

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"
)

// Every commit of a branch with many packages has a tree with an entry for each, and differs from the one before it in one entry. The
// variants of a package, and its revisions, have files that differ in some lines, and their commits have nearly the same message. These
// stay deltas in memory.

// resembling are the bounds of the objects of a kind that stay deltas.
type resembling struct {
	least, most int   // bytes of the object
	times       int   // how many times as large as its delta an object is, at least
	deepest     uint8 // deltas in a row; the next object is a delta of their first base, so that reading one stays cheap
}

// isSmallChange reports whether an object of so many bytes can stay a delta of its base, which is so long. What the base consists of
// is at most twice as long as the object: each read of the object reads that, too.
func isSmallChange(base *Object, size, delta int) bool {
	of := resemblingOf(base.Kind)
	return size >= of.least && size <= of.most && base.longest() <= 2*int64(size) && delta <= size/of.times && base.depth < of.deepest
}

func resemblingOf(kind plumbing.ObjectType) resembling {
	switch kind {
	case plumbing.CommitObject:
		return resembling{least: 256, most: medium - 1, times: 2, deepest: 4}
	case plumbing.TreeObject:
		return resembling{least: 256, most: large, times: 4, deepest: 16}
	case plumbing.BlobObject:
		return resembling{least: 256, most: medium - 1, times: 4, deepest: 4}
	}
	return resembling{most: -1}
}

// changed returns o as a delta of its base.
func (o *Object) changed(base *Object, delta []byte) *Object {
	return &Object{Kind: o.Kind, ID: o.ID, form: formDelta, data: bytes.Clone(delta), size: o.size,
		base: base, depth: base.depth + 1}
}

// WithBase returns a small change as one of another object with the content of its base; a large blob stays as it is.
func (o *Object) WithBase(base *Object) *Object {
	switch {
	case o.depth == 0 || o.base == base:
		return o
	case isSmallChange(base, int(o.size), len(o.data)):
		return o.changed(base, o.data)
	}
	return o.Unpacked().CompactLike(base)
}

// isDeep reports whether no delta may be added to those that o consists of.
func (o *Object) isDeep() bool {
	return o.depth > 0 && o.depth >= resemblingOf(o.Kind).deepest
}

// first is the object to which the deltas of o are applied.
func (o *Object) first() *Object {
	for o.depth > 0 {
		o = o.base
	}
	return o
}

// longest is the size of the longest object that a read of o makes.
func (o *Object) longest() int64 {
	size := o.size
	for o.depth > 0 {
		o = o.base
		size = max(size, o.size)
	}
	return size
}

// CompactLike returns an object that takes less memory, if o is nearly the base, or the first base of one with many deltas: a delta
// of it. base may be nil.
func (o *Object) CompactLike(base *Object) *Object {
	if base == nil || base.Kind != o.Kind || o.IsCompressed() {
		return o
	}
	if base.isDeep() {
		base = base.first()
	}
	if !isSmallChange(base, len(o.data), 0) {
		return o
	}
	from, err := base.Content()
	if err != nil { // who reads the base learns why
		return o
	}
	delta := makeDelta(o.Kind, from, o.data, len(o.data)/resemblingOf(o.Kind).times)
	if delta == nil {
		return o
	}
	return o.changed(base, delta)
}
