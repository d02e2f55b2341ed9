package registry

import (
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// trees holds the packages that were read last. An artifact that is named by digest never changes.
type trees struct {
	most int64 // bytes

	mu    sync.Mutex
	held  []heldTree // the least recently used first
	bytes int64
}

type heldTree struct {
	ref   oci.Reference
	tree  pkgtree.Tree
	bytes int64
}

func (t *trees) get(ref oci.Reference) (pkgtree.Tree, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.held, func(h heldTree) bool { return h.ref == ref })
	if i < 0 {
		return pkgtree.Tree{}, false
	}
	h := t.held[i]
	t.held = append(slices.Delete(t.held, i, i+1), h)
	return h.tree, true
}

// put adds a package, unless it is larger than all of them may be.
func (t *trees) put(ref oci.Reference, tree pkgtree.Tree) {
	h := heldTree{ref: ref, tree: tree}
	for p, b := range tree.All() {
		h.bytes += int64(len(p) + len(b.Data()))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.bytes > t.most || slices.ContainsFunc(t.held, func(o heldTree) bool { return o.ref == ref }) {
		return
	}
	t.held, t.bytes = append(t.held, h), t.bytes+h.bytes
	for t.bytes > t.most {
		t.bytes -= t.held[0].bytes
		t.held = slices.Delete(t.held, 0, 1)
	}
}
