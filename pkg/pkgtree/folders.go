package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// folders opens folders below root without following links, and keeps open those on the way to the last
// one: paths come sorted, so that the next one is near. To go through all folders of a package, however deep
// they lie, opens each about once.
type folders struct {
	root *os.Root
	name string  // the last one
	open []level // the way to it, parents first; of a long one the end
}

// level is an open folder: the one called folders.name[:end].
type level struct {
	in  *os.Root
	end int
}

// mostOpen bounds how many are open, since processes may not have many files open. Whoever climbs further
// begins at the root again, once for so many levels.
const mostOpen = 64

// maker makes the folder called name in the folder in, since it is missing. dir[:at] is its path, where dir is
// what was looked for.
type maker func(in *os.Root, dir string, at int, name string) error

// at returns the folder called dir, for p, which lies in it. It is nil where there is none, and an
// error where something else stands on the way. It may be closed by the next call.
func (f *folders) at(dir, p string) (*os.Root, error) { return f.reach(dir, p, nil) }

// reach is at, with missing folders made if there is a maker.
func (f *folders) reach(dir, p string, missing maker) (*os.Root, error) {
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

// nearest closes what is not on the way to dir. It returns the last folder that is, and how much of dir its
// path is; the root is on the way to all.
func (f *folders) nearest(dir string) (in *os.Root, done int) {
	if dir == "." {
		return f.root, len(dir)
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
	return f.root, 0
}

// enter opens the folder called name in the folder in; nil where there is none.
func enter(in *os.Root, name, dir, p string) (*os.Root, error) {
	st, err := in.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, about(p, err)
	case !st.IsDir():
		return nil, fmt.Errorf("%s: %s is not a directory", short(p), short(dir))
	}
	next, err := in.OpenRoot(name)
	if err != nil {
		return nil, about(p, err)
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(st, now) { // a link, by now
		_ = next.Close()
		return nil, fmt.Errorf("%s: %s changed while it was looked at", short(p), short(dir))
	}
	return next, nil
}

func (f *folders) push(in *os.Root, dir string, end int) {
	if len(f.open) == mostOpen {
		_ = f.open[0].in.Close()
		f.open = append(f.open[:0], f.open[1:]...)
	}
	f.open = append(f.open, level{in, end})
	f.name = dir[:end]
}

// pop closes the last folder.
func (f *folders) pop() {
	last := len(f.open) - 1
	_ = f.open[last].in.Close() // it was open for looking only
	f.open = f.open[:last]
}

// lstat looks at p without following links. It is nil where nothing stands.
func (f *folders) lstat(p string) (fs.FileInfo, error) {
	dir, base := split(p)
	in, err := f.at(dir, p)
	if in == nil || err != nil {
		return nil, err
	}
	st, err := in.Lstat(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return st, about(p, err)
}

// remove removes the file p, if it is there, then the directories that this empties.
func (f *folders) remove(p string) error {
	st, err := f.lstat(p)
	if st == nil || err != nil || st.IsDir() {
		return err
	}
	dir, base := split(p)
	in, err := f.at(dir, p)
	if err == nil && in != nil {
		err = about(p, in.Remove(base))
	}
	if err == nil {
		f.removeEmpty(dir, -1)
	}
	return err
}

// removeEmpty removes the folder dir and those above it, as far as nothing is in them; most of them at most,
// unless that is negative. Folders that are missing count as removed.
func (f *folders) removeEmpty(dir string, most int) {
	for ; dir != "." && most != 0; most-- {
		up, base := split(dir)
		st, err := f.lstat(dir)
		if err != nil || st != nil && !st.IsDir() {
			return
		}
		if st != nil {
			if in, err := f.at(up, dir); in == nil || err != nil || in.Remove(base) != nil {
				return
			}
			if up == "." {
				f.close() // else it is open still
			}
		}
		dir = up
	}
}

// close closes the folders that are open.
func (f *folders) close() {
	for len(f.open) > 0 {
		f.pop()
	}
}
