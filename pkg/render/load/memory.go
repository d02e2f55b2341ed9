package load

import (
	"context"
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// largeSlot is a semaphore: of the packages that take much memory, one is rendered at a time.
var largeSlot = make(chan struct{}, 1)

// Acquire waits until there is memory to render tree. The caller calls release when it has rendered it.
func Acquire(ctx context.Context, tree pkgtree.Tree) (release func(), err error) {
	if !isLarge(tree, krm.MostValues()/8) {
		return func() {}, nil
	}
	select {
	case largeSlot <- struct{}{}:
		return func() { <-largeSlot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isLarge reports whether the resources of tree may hold more than so many values. No value takes less than a byte:
// small packages are not searched.
func isLarge(tree pkgtree.Tree, values int) bool {
	return exceeds(tree, values, (*pkgtree.Blob).Size) && exceeds(tree, values, marks)
}

// exceeds reports whether a count over the resource files of tree is more than most.
func exceeds(tree pkgtree.Tree, most int, count func(*pkgtree.Blob) int) bool {
	n := 0
	for _, file := range tree.Paths() {
		if IsResourceFile(path.Base(file)) {
			n += count(tree.Blob(file))
		}
		if n > most {
			return true
		}
	}
	return false
}

// marks is about how many values a file may hold.
func marks(b *pkgtree.Blob) (n int) {
	b.View(func(data []byte) { n = krm.Marks(data) })
	return n
}

// checkValues bounds the values of all files. Files are read at the same time: the error names the one that may hold most values, and
// not the one that was read last.
func (r *reader) checkValues() error {
	if !r.limits.Budget.Over() {
		return nil
	}
	most, name := 0, ""
	for _, f := range r.files {
		if n := marks(r.tree.Blob(f.name)); n > most {
			most, name = n, f.name
		}
	}
	return fmt.Errorf("%s: the files of the package hold more than the %d values allowed in all, and this one holds most of them; "+
		"split the package, or give the process more memory: the limit grows with it", name, r.limits.Budget.Most)
}
