package load

import (
	"bytes"
	"context"
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// largeSlot is a semaphore: of the packages that take much memory, one is rendered at a time.
var largeSlot = make(chan struct{}, 1)

// Acquire waits until there is memory to render tree. The caller calls release when it has rendered it.
func Acquire(ctx context.Context, tree pkgtree.Tree) (release func(), err error) {
	most := krm.MostValues() / 8
	if !exceeds(tree, most, (*pkgtree.Blob).Size) { // no value takes less than a byte
		return func() {}, nil
	}
	release = func() { <-largeSlot }
	select {
	case largeSlot <- struct{}{}: // its values are counted only if another package is rendered
		return release, nil
	default:
	}
	if !isLarge(tree, most) {
		return func() {}, nil
	}
	select {
	case largeSlot <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isLarge reports whether rendering tree may take memory for more than so many values.
func isLarge(tree pkgtree.Tree, values int) bool { return exceeds(tree, values, parsedMarks) }

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

// parsedMarks is about how many values of a file are parsed. The specs of generated objects usually stay text.
func parsedMarks(b *pkgtree.Blob) (n int) {
	b.View(func(data []byte) {
		spec := bytes.Index(data, []byte("\nspec:"))
		if spec < 0 || !bytes.Contains(data[:spec], []byte(fn.GeneratedBy)) || bytes.Contains(data[spec:], []byte("---")) {
			spec = len(data)
		}
		n = krm.Marks(data[:spec])
	})
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
