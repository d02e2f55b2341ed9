package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// folders opens folders below root without following links, and keeps the last one open: paths come
// sorted, so that most are where the one before was.
type folders struct {
	root *os.Root
	name string
	last *os.Root // the one called name; nil for none
}

// at returns the folder called dir, for p, which lies in it. It is nil where there is none, and an
// error where something else stands on the way. It may be closed by the next call.
func (f *folders) at(dir, p string) (*os.Root, error) {
	if dir == "." {
		return f.root, nil
	}
	if f.last != nil && f.name == dir {
		return f.last, nil
	}
	f.close()
	if there, err := f.onTheWay(dir, p); !there || err != nil {
		return nil, err
	}
	var err error
	f.name = dir
	f.last, err = f.root.OpenRoot(filepath.FromSlash(dir))
	return f.last, err
}

// onTheWay reports whether dir is there, with nothing but folders above it.
func (f *folders) onTheWay(dir, p string) (bool, error) {
	for end := 1; end <= len(dir); end++ {
		if end < len(dir) && dir[end] != '/' {
			continue
		}
		st, err := f.root.Lstat(filepath.FromSlash(dir[:end]))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case !st.IsDir():
			return false, fmt.Errorf("%s: %s is not a directory", p, dir[:end])
		}
	}
	return true, nil
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
	return st, err
}

// close closes the folder that is open. Folders that went since must not be used.
func (f *folders) close() {
	if f.last != nil {
		_ = f.last.Close() // it was open for looking only
		f.last = nil
	}
}
