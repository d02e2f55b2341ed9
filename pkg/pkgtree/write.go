package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// WriteDir makes dir hold to where it held from: files that differ are replaced, each at once
// (written beside, then renamed); files that only from has are removed, with directories that
// this empties. Everything else in dir stays. Nothing is written outside dir or through a symbolic
// link: where a link or special file stands in the way, that is an error.
//
// All new content is on disk before the first file is replaced or removed, so that what commonly
// fails (a folder that may not be written to, a full disk) leaves dir as it was.
func WriteDir(dir string, from, to Tree) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer root.Close()
	w := staging{in: folders{root: root}, to: to}
	defer w.in.close()
	changed := from.Diff(to)
	if err = w.prepare(changed); err == nil {
		err = w.commit(changed)
	}
	if err != nil {
		return fmt.Errorf("write package %q: %w", dir, errors.Join(err, w.undo()))
	}
	return nil
}

// split is the folder that p lies in, and p's name there.
func split(p string) (dir, base string) { return path.Dir(p), path.Base(p) }

// remove removes the file p, then the directories that this empties.
func (f *folders) remove(p string) error {
	st, err := f.lstat(p)
	if st == nil || err != nil {
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

// isTemporary reports whether name is one that writeBeside gives.
func isTemporary(name string) bool {
	number, ok := strings.CutPrefix(name, temporary)
	_, err := strconv.ParseUint(number, 10, 32)
	return ok && err == nil
}

// writeBeside writes data to a new file in dir, whose short name is that of no other file; first
// is where to begin looking for one. It returns the name even when writing fails, so that the file
// can be removed.
func writeBeside(dir *os.Root, first int, data []byte, mode fs.FileMode) (string, error) {
	for n := first; n < first+1<<16; n++ {
		tmp := temporary + strconv.Itoa(n)
		f, err := dir.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
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
