package pack

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"
)

// Every commit of a branch with many packages has a tree with an entry for each, and differs from the one before it in one entry. The
// variants of a package, and its revisions, have files that differ in some lines. These stay deltas in memory.

// resembling are the bounds of the objects of a kind that stay deltas.
type resembling struct {
	least, most int // bytes of the object
	deepest     int // deltas in a row; the next object is a delta of their first base, so that reading one stays cheap
}

var (
	resemblingTrees = resembling{least: 4 << 10, most: large, deepest: 16}
	resemblingBlobs = resembling{least: 512, most: medium - 1, deepest: 4}
)

// isSmallChange reports whether an object of so many bytes can stay a delta of its base, which is so long. The base is at most twice as
// long as the object: each read of the object reads the base, too.
func isSmallChange(base *Object, size, delta int) bool {
	of := resemblingOf(base.Kind)
	return size >= of.least && size <= of.most && base.Size() <= 2*int64(size) && delta <= size/times && depthOf(base) < of.deepest
}

// times is how many times as large as its delta an object is, at least.
const times = 8

func resemblingOf(kind plumbing.ObjectType) resembling {
	switch kind {
	case plumbing.TreeObject:
		return resemblingTrees
	case plumbing.BlobObject:
		return resemblingBlobs
	}
	return resembling{}
}

func smallChange(base *Object, data, delta []byte) *compressed {
	return &compressed{size: int64(len(data)), delta: bytes.Clone(delta), base: base, depth: depthOf(base) + 1}
}

func depthOf(o *Object) int {
	if o.compressed == nil {
		return 0
	}
	return o.compressed.depth
}

// isDeep reports whether no delta may be added to those that o consists of.
func (o *Object) isDeep() bool {
	depth := depthOf(o)
	return depth > 0 && depth >= resemblingOf(o.Kind).deepest
}

// first is the object to which the deltas of o are applied.
func (o *Object) first() *Object {
	for depthOf(o) > 0 {
		o = o.compressed.base
	}
	return o
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
	if !isSmallChange(base, len(o.Data), 0) {
		return o
	}
	from, err := base.Content()
	if err != nil { // who reads the base learns why
		return o
	}
	delta := makeDelta(o.Kind, from, o.Data, len(o.Data)/times)
	if delta == nil {
		return o
	}
	return &Object{Kind: o.Kind, ID: o.ID, compressed: smallChange(base, o.Data, delta)}
}
