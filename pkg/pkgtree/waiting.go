package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"syscall"
)

// What a write prepares waits in folders with temporary names, each in the folder that its content is for, so
// that a rename puts it in place on any disk. Git ignores all that is in them, from before there is anything: a
// write that is killed leaves nothing that "git add" could take, and what it leaves may hold Secrets.
const (
	ignoreName  = ".gitignore"
	ignoreAll   = "*\n"
	packageName = "package" // a whole package that waits for its place
)

// newFolder makes such a folder in the folder above, and locks it. Where folders cannot be locked, no other
// process takes it for stale.
func newFolder(above *os.Root) (name string, held *os.File, err error) {
	for n := range 1 << 16 {
		name = temporary + strconv.Itoa(n)
		switch err := above.Mkdir(name, 0o755); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", nil, err
		}
		held, err := hold(above, name)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, fs.ErrNotExist): // taken for stale
		case err != nil || isStill(above, name, held):
			return ignored(above, name, held)
		default:
			_ = held.Close() // it was removed before it was locked
		}
	}
	return "", nil, fmt.Errorf("too many %s folders beside it; remove them", temporary)
}

// ignored has Git ignore the new folder called name.
func ignored(above *os.Root, name string, held *os.File) (string, *os.File, error) {
	file := filepath.Join(name, ignoreName)
	if createWhole(above, file, []byte(ignoreAll)) {
		return name, held, nil
	}
	_, err := create(above, file, []byte(ignoreAll), fileMode{bits: 0o644})
	if err != nil {
		_ = held.Close() // nil where folders cannot be locked
		return "", nil, errors.Join(err, above.RemoveAll(name))
	}
	return name, held, nil
}

// removeFolder removes the folder called name, which newFolder made. Git ignores what is in it for as long as
// there is anything: a removal that is killed shows no part of it.
func removeFolder(in *os.Root, name string) error {
	entries, err := fs.ReadDir(in.FS(), filepath.ToSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != ignoreName {
			err = errors.Join(err, in.RemoveAll(filepath.Join(name, e.Name())))
		}
	}
	if err != nil {
		return err
	}
	return in.RemoveAll(name)
}

// isStill reports whether name is that of the folder held.
func isStill(above *os.Root, name string, held *os.File) bool {
	is, err := above.Lstat(name)
	was, wasErr := held.Stat()
	return err == nil && wasErr == nil && os.SameFile(is, was)
}

// waitingIn is the name of the folder in which new files of the folder dir wait; in is that folder, open. The one
// of the package's own folder stays locked. The lock on the package protects the others.
func (w *staging) waitingIn(in *os.Root, dir string) (name string, err error) {
	if name := w.waiting[dir]; name != "" {
		return name, nil
	}
	name, held, err := newFolder(in)
	if err != nil {
		return "", err
	}
	if w.waiting == nil {
		w.waiting = map[string]string{}
	}
	w.waiting[dir] = name
	if dir != "." {
		_ = held.Close() // nil where folders cannot be locked
		return name, nil
	}
	w.held = held
	w.note, err = newNote(in, name)
	return name, err
}

// stage writes data to a new file that waits for its name in the folder dir, which is open as in. It returns
// the file's path even when writing fails.
func (w *staging) stage(in *os.Root, dir string, data []byte, mode fileMode) (tmp string, err error) {
	name, err := w.waitingIn(in, dir)
	if err != nil {
		return "", err
	}
	w.count++
	tmp = path.Join(name, strconv.Itoa(w.count))
	made, err := create(in, filepath.FromSlash(tmp), data, mode)
	if !made {
		return "", err
	}
	return path.Join(dir, tmp), err
}

// clear removes the folders in which files of the folders below the package's own waited.
func (w *staging) clear() (err error) {
	for dir, name := range w.waiting {
		if dir != "." {
			err = errors.Join(err, w.clearIn(dir, name))
			delete(w.waiting, dir)
		}
	}
	return err
}

// forget removes the last trace of a write: the folder that tells that there may be more.
func (w *staging) forget() (err error) {
	if name := w.waiting["."]; name != "" {
		err = w.clearIn(".", name)
		delete(w.waiting, ".")
	}
	w.release()
	return err
}

func (w *staging) clearIn(dir, name string) error {
	in, err := w.in.at(dir, dir)
	if in == nil || err != nil {
		return err
	}
	return about(path.Join(dir, name), removeFolder(in, name))
}

// release closes what a write holds open.
func (w *staging) release() {
	for _, f := range []*os.File{w.note, w.held} {
		if f != nil {
			_ = f.Close() // which unlocks it
		}
	}
	w.note, w.held = nil, nil
}
