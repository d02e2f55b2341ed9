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
	w := staging{root: root, to: to}
	changed := from.Diff(to)
	if err = w.prepare(changed); err == nil {
		err = w.commit(changed)
	}
	if err != nil {
		return fmt.Errorf("write package %q: %w", dir, errors.Join(err, w.undo()))
	}
	return nil
}

// lstat looks at p without following links. It is nil where nothing stands, and an error where
// something other than a directory stands on the way to p.
func lstat(root *os.Root, p string) (fs.FileInfo, error) {
	for i, r := range p {
		if r != '/' {
			continue
		}
		st, err := root.Lstat(filepath.FromSlash(p[:i]))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			return nil, fmt.Errorf("%s: %s is not a directory", p, p[:i])
		}
	}
	st, err := root.Lstat(filepath.FromSlash(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return st, err
}

// remove removes the file p, then the directories that this empties.
func remove(root *os.Root, p string) error {
	st, err := lstat(root, p)
	if st == nil || err != nil {
		return err
	}
	if err := root.Remove(filepath.FromSlash(p)); err != nil {
		return err
	}
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if root.Remove(filepath.FromSlash(d)) != nil { // not empty: kept
			break
		}
	}
	return nil
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
func writeBeside(root *os.Root, dir string, first int, data []byte, mode fs.FileMode) (string, error) {
	for n := first; n < first+1<<16; n++ {
		tmp := filepath.Join(dir, temporary+strconv.Itoa(n))
		f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
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
	return "", fmt.Errorf("%s: too many %s files; remove them", filepath.ToSlash(dir), temporary)
}
