package pkgtree

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// blockedDir says whether files that the write removes block new files in the folder called dir.
type blockedDir struct {
	dir     string
	known   bool
	blocked bool
}

// isBlocked reports whether p can only be written after files are removed, because a file becomes a
// directory, or the reverse.
func (w *writer) isBlocked(p string, st fs.FileInfo, changed []string) bool {
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
	if !w.blocked.known || w.blocked.dir != dir {
		w.blocked = blockedDir{dir, true, w.hasRemovedParent(dir, changed)}
	}
	return w.blocked.blocked
}

// hasRemovedParent reports whether dir or one of its parents is a file that the write removes.
func (w *writer) hasRemovedParent(dir string, changed []string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, gone := slices.BinarySearch(changed, dir); gone && w.to.Blob(dir) == nil {
			return true
		}
	}
	return false
}
