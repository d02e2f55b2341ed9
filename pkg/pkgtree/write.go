package pkgtree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// WriteDir makes dir hold to where it held from: files that differ are replaced, each at once
// (written beside, then renamed); files that only from has are removed, with directories that
// this empties. Everything else in dir stays, and is an error where it is in the way: a link or special
// file, a file that from does not have, one that was changed since from was read. Nothing is written
// outside dir or through a symbolic link.
//
// All new content is on disk before the first file is replaced or removed. With an error dir is as it
// was. When the process is killed, dir is as it was, or the next WriteDir finishes what was begun, and
// ReadDir reads it as finished. A machine that stops may lose both: nothing is synced to disk. Of several
// processes one writes at a time.
func WriteDir(dir string, from, to Tree) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer root.Close()
	w := staging{in: folders{root: root}, from: from, to: to}
	defer w.in.close()
	if err := locked(dir, syscall.LOCK_EX, w.write); err != nil {
		return fmt.Errorf("write package %q: %w", dir, err)
	}
	return nil
}

// write finishes what another write has left, then does what it is for.
func (w *staging) write() error {
	if err := w.finish(); err != nil {
		return err
	}
	if err := w.prepare(w.from.Diff(w.to)); err != nil {
		return errors.Join(err, w.undo(0))
	}
	return w.commit()
}

// split is the folder that p lies in, and p's name there.
func split(p string) (dir, base string) { return path.Dir(p), path.Base(p) }

// remove removes the file p, if it is there, then the directories that this empties.
func (f *folders) remove(p string) error {
	st, err := f.lstat(p)
	if st == nil || err != nil || st.IsDir() {
		return err
	}
	dir, base := split(p)
	in, err := f.at(dir, p)
	if err == nil {
		err = in.Remove(base)
	}
	for ; err == nil && dir != "."; dir = path.Dir(dir) {
		if f.root.Remove(filepath.FromSlash(dir)) != nil { // not empty: kept
			break
		}
		f.close() // it may be the one that is open
	}
	return err
}

const temporary = ".waybill-tmp-"

// isOurs reports whether name is one that a write in progress uses.
func isOurs(name string) bool { return name == journalName || isTemporary(name) }

// isTemporary reports whether name is one that writeBeside gives.
func isTemporary(name string) bool {
	number, ok := strings.CutPrefix(name, temporary)
	_, err := strconv.ParseUint(number, 10, 32)
	return ok && err == nil
}

// replace makes the file called name in dir hold data, whole or not at all.
func replace(dir *os.Root, name string, data []byte, mode fs.FileMode, whose *owner) error {
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
func writeBeside(dir *os.Root, first int, data []byte, mode fs.FileMode) (string, error) {
	for n := first; n < first+1<<16; n++ {
		tmp := temporary + strconv.Itoa(n)
		f, err := dir.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode&0o600, 0o644)) // nobody sees more than they may
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err == nil && mode != 0 {
			err = f.Chmod(mode)
		}
		return tmp, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("%s: too many %s files; remove them", filepath.ToSlash(dir.Name()), temporary)
}
