// Package folder reads and writes files below an os.Root, as package pkgtree needs it: without following links,
// with locks between processes, and with errors that name the file of the package and not a temporary one.
//
// Shape: functions on an os.Root and a path in it. Cost: the system calls; opened folders are cached while a package is read.
// Errors: each begins with the path of the file. Source: ours.
package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Cache opens folders below Root without following links, and keeps the parents of the last
// one open: paths come sorted, so the next folder is usually near. A walk through all folders of a package opens each
// about once, however deep they are nested.
type Cache struct {
	Root *os.Root
	Most int // how many folders stay open; MaxOpen if it is 0

	name string  // the last folder
	open []level // it and its parents, outermost first; the innermost ones if there are many
}

// level is an open folder: Cache.name[:end].
type level struct {
	in  *os.Root
	end int
}

// MaxOpen bounds the number of open folders, since a process may open only so many files. To go up further, the Cache
// starts at the root again, once for so many levels.
const MaxOpen = 64

// Maker makes the missing folder called name in the folder in. dir[:at] is its path, where dir is the folder
// that was asked for.
type Maker func(in *os.Root, dir string, at int, name string) error

// At returns the folder called dir for the file p in it. It is nil when there is none. It is an
// error when a parent is no folder. The next call may close the folder.
func (f *Cache) At(dir, p string) (*os.Root, error) { return f.Reach(dir, p, nil) }

// Reach is At; missing, unless nil, makes missing folders.
func (f *Cache) Reach(dir, p string, missing Maker) (*os.Root, error) {
	in, done := f.nearest(dir)
	for done < len(dir) {
		begin, end := done, len(dir)
		if begin > 0 {
			begin++ // the slash
		}
		if n := strings.IndexByte(dir[begin:], '/'); n >= 0 {
			end = begin + n
		}
		next, err := enter(in, dir[begin:end], dir[:end], p)
		if next == nil && err == nil && missing != nil {
			if err = missing(in, dir, end, dir[begin:end]); err == nil {
				next, err = enter(in, dir[begin:end], dir[:end], p)
			}
		}
		if next == nil || err != nil {
			return nil, err
		}
		f.push(next, dir, end)
		in, done = next, end
	}
	return in, nil
}

// nearest closes the folders that are not parents of dir. It returns the innermost one that is, and the length of its
// path in dir.
func (f *Cache) nearest(dir string) (in *os.Root, done int) {
	if dir == "." {
		return f.Root, len(dir)
	}
	same := 0
	for same < len(dir) && same < len(f.name) && dir[same] == f.name[same] {
		same++
	}
	for len(f.open) > 0 {
		last := f.open[len(f.open)-1]
		if last.end <= same && (last.end == len(dir) || dir[last.end] == '/') {
			return last.in, last.end
		}
		f.pop()
	}
	return f.Root, 0
}

// enter opens the folder called name in the folder in; nil when there is none.
func enter(in *os.Root, name, dir, p string) (*os.Root, error) {
	st, err := in.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, Wrap(p, err)
	case !st.IsDir():
		return nil, fmt.Errorf("%s: %s is not a directory", Short(p), Short(dir))
	}
	next, err := in.OpenRoot(name)
	if err != nil {
		return nil, Wrap(p, err)
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(st, now) { // a link has replaced it
		_ = next.Close()
		return nil, fmt.Errorf("%s: %s changed while it was read", Short(p), Short(dir))
	}
	return next, nil
}

func (f *Cache) push(in *os.Root, dir string, end int) {
	if len(f.open) == cmp.Or(f.Most, MaxOpen) {
		_ = f.open[0].in.Close()
		f.open = append(f.open[:0], f.open[1:]...)
	}
	f.open = append(f.open, level{in, end})
	f.name = dir[:end]
}

// pop closes the innermost folder.
func (f *Cache) pop() {
	last := len(f.open) - 1
	_ = f.open[last].in.Close() // it was only read
	f.open = f.open[:last]
}

// Lstat describes p without following links. It is nil when there is no such file.
func (f *Cache) Lstat(p string) (fs.FileInfo, error) {
	dir, base := Split(p)
	in, err := f.At(dir, p)
	if in == nil || err != nil {
		return nil, err
	}
	st, err := in.Lstat(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return st, Wrap(p, err)
}

// Remove removes the file p, if there is one, then the folders that this empties.
func (f *Cache) Remove(p string) error {
	st, err := f.Lstat(p)
	if st == nil || err != nil || st.IsDir() {
		return err
	}
	dir, base := Split(p)
	in, err := f.At(dir, p)
	if err == nil && in != nil {
		err = Wrap(p, in.Remove(base))
	}
	if err == nil {
		f.RemoveEmpty(dir, -1)
	}
	return err
}

// RemoveEmpty removes the folder dir and its parents as long as they are empty: at most so many of them,
// unless most is negative. Folders that are missing count as removed.
func (f *Cache) RemoveEmpty(dir string, most int) {
	for ; dir != "." && most != 0; most-- {
		up, base := Split(dir)
		st, err := f.Lstat(dir)
		if err != nil || st != nil && !st.IsDir() {
			return
		}
		if st != nil {
			if in, err := f.At(up, dir); in == nil || err != nil || in.Remove(base) != nil {
				return
			}
			if up == "." {
				f.Close() // else dir stays open
			}
		}
		dir = up
	}
}

// Close closes the open folders.
func (f *Cache) Close() {
	for len(f.open) > 0 {
		f.pop()
	}
}
