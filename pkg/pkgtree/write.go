package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// WriteDir changes dir from the files of from to those of to. It replaces each file that differs atomically
// (it writes a staged file, which Git ignores, and renames it). It removes files that only from has, and directories that
// this empties. Everything else in dir stays. It is an error when something else is in the place of a file: a link or special
// file, a file that from does not have, or one that was changed after from was read. Nothing is written
// outside of dir or through a symbolic link. New files in programs are executable; files that are replaced
// keep their permissions.
//
// A tree that is too large for ReadDir is an error. All new content is on disk before the first file is replaced or removed. After an
// error dir is as it was. When the process is killed, dir is as it was, or the next WriteDir finishes the changes and
// ReadDir reads them as finished. When the machine crashes, both may be lost: nothing is synced to disk. Of several
// processes one writes at a time; it writes many files on all processors. Time is linear in what is written and the folders on the way
// there.
func WriteDir(dir string, from, to Tree, programs ...string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer root.Close()
	w := newWriter(root)
	defer w.close()
	w.dir, w.from, w.to, w.programs = dir, from, to, sets.New(programs...)
	err = to.refuseUnreadable()
	if err == nil {
		err = folder.Lock(dir, osfile.Exclusive, w.write)
	}
	if err != nil {
		return fmt.Errorf("write package %q: %w", dir, err)
	}
	return nil
}

// refuseUnreadable returns an error if ReadDir would refuse t for its size: no later run could read the package. Works of a fleet
// are the usual reason, as they hold every object once for each cluster.
func (t Tree) refuseUnreadable() error {
	limits, total := Limits{}.withDefaults(), int64(0)
	for _, b := range t.files {
		total += int64(b.size)
	}
	switch {
	case total > limits.Bytes:
		return fmt.Errorf("its files would have %d bytes in all, and a package of more than %d cannot be read again: divide it into several "+
			"packages, for example one for each region", total, limits.Bytes)
	case len(t.files) > limits.Files:
		return fmt.Errorf("it would have %d files, and a package of more than %d cannot be read again: divide it into several packages, for "+
			"example one for each region", len(t.files), limits.Files)
	}
	return nil
}

// write finishes an interrupted write, then makes its own changes.
func (w *writer) write() error {
	if _, err := w.recover(); err != nil {
		return err
	}
	if err := w.removeLeftovers(); err != nil {
		return err
	}
	if err := w.prepare(w.from.Diff(w.to)); err != nil {
		return errors.Join(err, w.undo())
	}
	return w.commit()
}

// removeLeftovers removes what a killed write prepared, if there was one.
func (w *writer) removeLeftovers() error {
	entries, err := fs.ReadDir(w.in.Root.FS(), ".")
	if err != nil {
		return folder.Wrap(".", err)
	}
	if !slices.ContainsFunc(entries, isLeftover) {
		return nil
	}
	_, err = sweep(w.dir, &w.in)
	return err
}

// isLeftover reports whether e shows that a write to its folder was killed.
func isLeftover(e fs.DirEntry) bool {
	return e.Name() == legacyMade || e.IsDir() && isTemporary(e.Name())
}
