package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// Recover finishes killed writes to dir, to folders in it and to its parents: it makes changes
// that were begun, and removes files and folders that were only prepared, unless another process may
// be writing to them. It reports whether there was anything to do.
func Recover(dir string) (did bool, err error) {
	did, err = sweepParents(dir)
	if err != nil {
		return did, err
	}
	here, err := recoverDir(dir)
	return did || here, err
}

// ReadRecovered is Recover and then ReadDir. It walks through the folders once, unless there are files of a write in one of them. It
// reports whether there was anything to finish.
func ReadRecovered(dir string, limits Limits) (tree Tree, did bool, err error) {
	did, err = sweepParents(dir)
	if err != nil {
		return Tree{}, false, err
	}
	tree, atWork, err := readDir(dir, limits)
	if err == nil && !atWork {
		return tree, did, nil
	}
	here, err := recoverDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // else ReadDir says that there is no such folder
		return Tree{}, false, err
	}
	tree, err = ReadDir(dir, limits)
	return tree, did || here, err
}

// recoverDir is Recover without the parents of dir.
func recoverDir(dir string) (did bool, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, fmt.Errorf("finish an interrupted write: %w", err)
	}
	defer root.Close()
	w := newWriter(root)
	defer w.close()
	err = folder.Lock(dir, osfile.Exclusive, func() error {
		if did, err = w.recover(); err != nil {
			return err
		}
		swept, err := sweep(dir, &w.in)
		did = did || swept
		return err
	})
	if err != nil {
		return did, fmt.Errorf("package %q: %w", dir, err)
	}
	return did, nil
}
