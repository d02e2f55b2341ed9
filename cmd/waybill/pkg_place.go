package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// destination is where a package of that name goes when the user says dest: there, or, when there is such a
// folder, to a new folder in it.
func destination(dest, name string) (string, error) {
	switch st, err := os.Stat(dest); {
	case err == nil && !st.IsDir():
		return "", fmt.Errorf("destination %q must be a directory", dest)
	case err == nil:
		dest = filepath.Join(dest, name)
	}
	dest = filepath.Clean(dest)
	if _, err := os.Lstat(dest); err == nil {
		return "", fmt.Errorf("destination directory %q already exists", dest)
	}
	switch st, err := os.Stat(filepath.Dir(dest)); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("parent directory %q does not exist", filepath.Dir(dest))
	case err != nil:
		return "", fmt.Errorf("destination %q: %w", dest, err)
	case !st.IsDir():
		return "", fmt.Errorf("parent %q is not a directory", filepath.Dir(dest))
	}
	return dest, nil
}

// placePackage makes a package of tree at dir, which must not exist: whole, programs included, whenever it is
// there.
func placePackage(dir string, tree pkgtree.Tree, programs []string) error {
	err := pkgtree.MakeDir(dir, tree, programs...)
	if errors.Is(err, fs.ErrExist) { // it has come since
		return fmt.Errorf("destination directory %q already exists", dir)
	}
	return err
}

// executables are the files of tree that may be run in dir, which it was read from.
func executables(dir string, tree pkgtree.Tree) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []string
	for _, file := range tree.Paths() {
		st, err := root.Lstat(filepath.FromSlash(file))
		if err != nil {
			return nil, err
		}
		if st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			out = append(out, file)
		}
	}
	return out, nil
}
