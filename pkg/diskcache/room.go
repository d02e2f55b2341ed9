package diskcache

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// makeRoom counts size more bytes, and keeps the folder within its limit. It scans the folder the first time, when the
// limit is exceeded, and from time to time for entries of other processes.
func (f *Folder) makeRoom(root *os.Root, size int64) {
	f.keeping.Lock()
	defer f.keeping.Unlock()
	f.held += size
	f.unscanned += size
	if f.scanned && f.held <= f.limit && f.unscanned <= f.limit/16 {
		return
	}
	f.held, f.unscanned, f.scanned = f.clean(root), 0, true
}

// kept is a file in the folder.
type kept struct {
	name string
	size int64
	used time.Time
}

// clean removes the least recently used entries until an eighth of the limit is free, if the limit is exceeded, and returns
// the size of the rest.
func (f *Folder) clean(root *os.Root) (total int64) {
	files := filesIn(root)
	for _, k := range files {
		total += k.size
	}
	if total <= f.limit {
		return total
	}
	slices.SortFunc(files, func(a, b kept) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name))
	})
	for _, k := range files {
		if total <= f.limit-f.limit/8 {
			break
		}
		if strings.HasPrefix(k.name, Temporary) { // a writer is about to rename it
			continue
		}
		if err := root.Remove(k.name); err == nil || os.IsNotExist(err) { // another process was first
			total -= k.size
		}
	}
	return total
}

var (
	folderName = lazyregexp.New(`^[0-9a-f]{2}$`)
	entryName  = lazyregexp.New(`^[0-9a-f]{62}$`)
)

// abandoned is the age at which a temporary file counts as left by a process that was killed.
const abandoned = time.Hour

// filesIn is every entry, and every file that is being written. Other files are not ours: they are neither counted nor
// removed.
func filesIn(root *os.Root) (files []kept) {
	add := func(name string, d fs.DirEntry) {
		if info, err := d.Info(); err == nil {
			files = append(files, kept{name, info.Size(), info.ModTime()})
		}
	}
	top, _ := fs.ReadDir(root.FS(), ".")
	for _, d := range top {
		switch name := d.Name(); {
		case strings.HasPrefix(name, Temporary) && d.Type().IsRegular():
			if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
				_ = root.Remove(name)
				continue
			}
			add(name, d)
		case folderName.MatchString(name) && d.IsDir():
			entries, _ := fs.ReadDir(root.FS(), name)
			for _, e := range entries {
				if entryName.MatchString(e.Name()) {
					add(name+"/"+e.Name(), e)
				}
			}
		}
	}
	return files
}
