package pkgtree

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// clearing is whether files that go are in the way of what comes into the folder called dir.
type clearing struct {
	dir   string
	known bool
	need  bool
}

// inTheWay reports whether p can only be written once files are removed: a file becomes a
// directory, or the reverse.
func (w *staging) inTheWay(p string, st fs.FileInfo, changed []string) bool {
	if st != nil && st.IsDir() {
		first, _ := slices.BinarySearch(changed, p+"/")
		for _, c := range changed[first:] {
			if !strings.HasPrefix(c, p+"/") {
				break
			}
			if w.to.Blob(c) == nil {
				return true
			}
		}
		return false
	}
	dir := path.Dir(p)
	if !w.cleared.known || w.cleared.dir != dir {
		w.cleared = clearing{dir, true, w.goesAbove(dir, changed)}
	}
	return w.cleared.need
}

// goesAbove reports whether dir or a folder above it is a file that goes.
func (w *staging) goesAbove(dir string, changed []string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, gone := slices.BinarySearch(changed, dir); gone && w.to.Blob(dir) == nil {
			return true
		}
	}
	return false
}
