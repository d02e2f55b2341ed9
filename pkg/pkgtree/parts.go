package pkgtree

import (
	"os"
	"runtime"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// writer is a write in progress, or one of the parts that such a write does at the same time: it prepares everything that may fail, then
// makes the changes.
type writer struct {
	dir      string // where it writes to
	in       folder.Cache
	from, to Tree
	programs sets.Set[string] // new files that are executable
	own      *ownStaging      // all parts share it

	ops        []op
	done       []op                // those that are made
	folders    map[string][]string // names of the staging folders below, by the folder that their files are for
	made       []string            // directories, parents first
	writable   string              // the folder that was last checked to be writable
	blocked    blockedDir
	recovering bool // the write was killed, and some of its changes are made
	unshared   bool // no other process knows the folder: made folders need not be recorded
	inTurn     bool // it changes one file after the other
}

func newWriter(root *os.Root) *writer {
	return &writer{in: folder.Cache{Root: root}, own: &ownStaging{}}
}

// close closes the open files of the write.
func (w *writer) close() {
	w.in.Close()
	w.own.close()
}

// isMany reports whether so many items are divided into parts.
func (w *writer) isMany(items int) bool { return !w.inTurn && items >= 2*partSize }

// inParts calls do for parts of items, on all processors if they are many, and returns the errors in the order of items. Each part
// has a writer of its own; w takes over what they did.
func inParts[T any](w *writer, items []T, do func(part *writer, items []T) error) []error {
	if !w.isMany(len(items)) {
		return []error{do(w, items)}
	}
	size := max(partSize, len(items)/(4*runtime.GOMAXPROCS(0)))
	parts := slices.Collect(slices.Chunk(items, size))
	writers, errs := make([]*writer, len(parts)), make([]error, len(parts))
	parallel.For(len(parts), func(i int) {
		part := newWriter(w.in.Root)
		part.in.Most = openInPart()
		defer part.in.Close()
		part.from, part.to, part.programs, part.own, part.unshared, part.inTurn = w.from, w.to, w.programs, w.own, w.unshared, true
		writers[i], errs[i] = part, do(part, parts[i])
	})
	for _, part := range writers {
		w.take(part)
	}
	return errs
}

// openInPart is how many folders a part keeps open: all parts together fewer than a write in turn, since each needs other files, too.
func openInPart() int { return max(2, folder.MaxOpen/4/runtime.GOMAXPROCS(0)) }

// take adds what part did.
func (w *writer) take(part *writer) {
	w.ops, w.done = append(w.ops, part.ops...), append(w.done, part.done...)
	for dir, names := range part.folders {
		w.addStaging(dir, names...)
	}
	w.made = append(w.made, part.made...)
	slices.Sort(w.made) // several parts may have made the folders in a folder
}

func (w *writer) addStaging(dir string, names ...string) {
	if w.folders == nil {
		w.folders = map[string][]string{}
	}
	w.folders[dir] = append(w.folders[dir], names...)
}
