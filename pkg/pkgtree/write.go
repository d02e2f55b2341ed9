package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"syscall"
)

// WriteDir makes dir hold to where it held from: files that differ are replaced, each at once
// (written beside, then renamed); files that only from has are removed, with directories that
// this empties. Everything else in dir stays, and is an error where it is in the way: a link or special
// file, a file that from does not have, one that was changed since from was read. Nothing is written
// outside dir or through a symbolic link. New files that programs names may be run; files that are replaced
// keep their permissions.
//
// All new content is on disk before the first file is replaced or removed. With an error dir is as it
// was. When the process is killed, dir is as it was, or the next WriteDir finishes what was begun, and
// ReadDir reads it as finished. A machine that stops may lose both: nothing is synced to disk. Of several
// processes one writes at a time. Time is linear in what is written and the folders on the way there.
func WriteDir(dir string, from, to Tree, programs ...string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer root.Close()
	w := staging{dir: dir, in: folders{root: root}, from: from, to: to, programs: setOf(programs)}
	defer w.in.close()
	if err := locked(dir, syscall.LOCK_EX, w.write); err != nil {
		return fmt.Errorf("write package %q: %w", dir, err)
	}
	return nil
}

func setOf(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// write finishes what another write has left, then does what it is for.
func (w *staging) write() error {
	if _, err := w.finish(); err != nil {
		return err
	}
	if err := w.tidy(); err != nil {
		return err
	}
	if err := w.prepare(w.from.Diff(w.to)); err != nil {
		return errors.Join(err, w.undo(0))
	}
	return w.commit()
}

// tidy removes what a write that was killed has prepared, if it has made folders for it.
func (w *staging) tidy() error {
	st, err := w.in.lstat(madeName)
	if st == nil || err != nil {
		return err
	}
	_, err = sweep(w.dir, &w.in)
	return err
}

// split is the folder that p lies in, and p's name there.
func split(p string) (dir, base string) { return path.Dir(p), path.Base(p) }

// fileMode is who may do what with a file.
type fileMode struct {
	bits  fs.FileMode
	exact bool // whatever the umask
}

func modeLike(st fs.FileInfo) fileMode { return fileMode{st.Mode().Perm(), true} }

// replace makes the file called name in dir hold data, whole or not at all.
func replace(dir *os.Root, name string, data []byte, mode fileMode, whose *owner) error {
	tmp, err := writeBeside(dir, 0, data, mode)
	if err == nil {
		err = whose.give(dir, tmp)
	}
	if err == nil {
		err = dir.Rename(tmp, name)
	}
	if err != nil && tmp != "" {
		err = errors.Join(err, dir.Remove(tmp))
	}
	return err
}

// writeBeside writes data to a new file in dir, whose short name is that of no other file; first
// is where to begin looking for one. It returns the name even when writing fails, so that the file
// can be removed.
func writeBeside(dir *os.Root, first int, data []byte, mode fileMode) (string, error) {
	for n := first; n < first+1<<16; n++ {
		tmp := temporary + strconv.Itoa(n)
		made, err := create(dir, tmp, data, mode)
		if made {
			return tmp, err
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("too many %s files beside it; remove them", temporary)
}

// create writes data to a new file called name in dir. It reports whether there is a new file, which holds data
// if there is no error.
func create(dir *os.Root, name string, data []byte, mode fileMode) (made bool, err error) {
	bits := mode.bits
	if mode.exact {
		bits &= 0o600 // nobody sees more than they may
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, bits)
	if err != nil {
		return false, err
	}
	_, err = f.Write(data)
	if err == nil && mode.exact {
		err = f.Chmod(mode.bits)
	}
	return true, errors.Join(err, f.Close())
}
