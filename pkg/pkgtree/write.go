package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// WriteDir makes dir hold to where it held from: files that differ are replaced, each at once
// (written to a folder beside that Git ignores, then renamed); files that only from has are removed, with directories that
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
	defer w.release()
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

// tidy removes what a write that was killed has prepared, if there is a trace of one.
func (w *staging) tidy() error {
	entries, err := fs.ReadDir(w.in.root.FS(), ".")
	if err != nil {
		return about(".", err)
	}
	if !slices.ContainsFunc(entries, isTrace) {
		return nil
	}
	_, err = sweep(w.dir, &w.in)
	return err
}

// isTrace reports whether e is what a write to the folder that it lies in leaves when it is killed.
func isTrace(e fs.DirEntry) bool {
	return e.Name() == madeName || e.IsDir() && isTemporary(e.Name())
}

// split is the folder that p lies in, and p's name there.
func split(p string) (dir, base string) { return path.Dir(p), path.Base(p) }

// fileMode is who may do what with a file.
type fileMode struct {
	bits  fs.FileMode
	exact bool // whatever the umask
}

func modeLike(st fs.FileInfo) fileMode { return fileMode{st.Mode().Perm(), true} }

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
