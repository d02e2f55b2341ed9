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
	deepest     int // deltas in a row; the next object is whole, so that reading one stays cheap
}

var (
	resemblingTrees = resembling{least: 4 << 10, most: large, deepest: 16}
	resemblingBlobs = resembling{least: 512, most: medium - 1, deepest: 4}
)

// isSmallChange reports whether an object of so many bytes can stay a delta of its base, which is so long.
func isSmallChange(base *Object, size, delta int) bool {
	const times = 8 // how many times as large as its delta it is, at least
	var of resembling
	switch base.Kind {
	case plumbing.TreeObject:
		of = resemblingTrees
	case plumbing.BlobObject:
		of = resemblingBlobs
	}
	return size >= of.least && size <= of.most && delta*times <= size && depthOf(base) < of.deepest
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

// CompactLike returns an object that takes less memory, if o is nearly the base: a delta of it. base may be nil.
func (o *Object) CompactLike(base *Object) *Object {
	if base == nil || base.Kind != o.Kind || o.IsCompressed() || !isSmallChange(base, len(o.Data), 0) {
		return o
	}
	from, err := base.Content()
	if err != nil { // who reads the base learns why
		return o
	}
	delta := makeDelta(o.Kind, from, o.Data, len(o.Data))
	if delta == nil || !isSmallChange(base, len(o.Data), len(delta)) {
		return o
	}
	return &Object{Kind: o.Kind, ID: o.ID, compressed: smallChange(base, o.Data, delta)}
}
