package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// A write prepares new files in staging folders with temporary names, each in the folder that its files are for: so a
// rename can put them in place, whatever file systems are mounted. Git ignores the content of staging folders from the start:
// what a killed write leaves may hold Secrets, and "git add" must not take it.
const (
	ignoreName  = ".gitignore"
	ignoreAll   = "*\n"
	packageName = "package" // a new package, staged as a whole
)

// newStagingFolder makes and locks a staging folder in the folder above. Where folders cannot be locked, no other
// process treats it as stale.
func newStagingFolder(parents *os.Root) (name string, held *os.File, err error) {
	for n := range 1 << 16 {
		name = temporary + strconv.Itoa(n)
		switch err := parents.Mkdir(name, 0o755); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", nil, err
		}
		held, err := folder.TryLock(parents, name)
		switch {
		case errors.Is(err, osfile.ErrLocked) || errors.Is(err, fs.ErrNotExist): // another process treats it as stale
		case err != nil || isSameFolder(parents, name, held):
			return addIgnoreFile(parents, name, held)
		default:
			_ = held.Close() // it was removed before it was locked
		}
	}
	return "", nil, fmt.Errorf("too many %s folders beside it; remove them", temporary)
}

// addIgnoreFile makes Git ignore the new folder called name.
func addIgnoreFile(parents *os.Root, name string, held *os.File) (string, *os.File, error) {
	file := filepath.Join(name, ignoreName)
	if folder.CreateWhole(parents, file, []byte(ignoreAll)) {
		return name, held, nil
	}
	_, err := folder.Create(parents, file, []byte(ignoreAll), folder.Mode{Bits: 0o644})
	if err != nil {
		_ = held.Close() // nil if folders cannot be locked
		return "", nil, errors.Join(err, parents.RemoveAll(name))
	}
	return name, held, nil
}

// removeStagingFolder removes a folder that newStagingFolder made. It removes the ignore file last, so that
// Git ignores what a killed removal leaves.
func removeStagingFolder(in *os.Root, name string) error {
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
	if err := in.RemoveAll(filepath.Join(name, ignoreName)); err != nil {
		return err
	}
	if err := in.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isSameFolder reports whether name still is the folder held.
func isSameFolder(parents *os.Root, name string, held *os.File) bool {
	is, err := parents.Lstat(name)
	was, wasErr := held.Stat()
	return err == nil && wasErr == nil && os.SameFile(is, was)
}

// stagingFolder is the name of the staging folder for files of the folder dir, which is open as in. The lock on the package protects
// those below its own folder.
func (w *writer) stagingFolder(in *os.Root, dir string) (name string, err error) {
	if dir == "." {
		return w.own.folder(in)
	}
	if names := w.folders[dir]; len(names) > 0 {
		return names[0], nil
	}
	name, held, err := newStagingFolder(in)
	if err != nil {
		return "", err
	}
	_ = held.Close() // nil if folders cannot be locked
	w.addStaging(dir, name)
	return name, nil
}

// stage writes data to a staged file for the folder dir, which is open as in. It returns
// the file's path even when writing fails.
func (w *writer) stage(in *os.Root, dir string, data []byte, mode folder.Mode) (tmp string, err error) {
	name, err := w.stagingFolder(in, dir)
	if err != nil {
		return "", err
	}
	tmp = path.Join(name, strconv.FormatInt(w.own.count.Add(1), 10))
	made, err := folder.Create(in, filepath.FromSlash(tmp), data, mode)
	if !made {
		return "", err
	}
	return path.Join(dir, tmp), err
}

// stageBlob is stage for the content of b, and returns its digest, too.
func (w *writer) stageBlob(in *os.Root, dir string, b *Blob, mode folder.Mode) (tmp, digest string, err error) {
	b.View(func(data []byte) {
		digest = digestOf(data)
		tmp, err = w.stage(in, dir, data, mode)
	})
	return tmp, digest, err
}

// removeStagingBelow removes all staging folders except that of the package's own folder.
func (w *writer) removeStagingBelow() error {
	dirs := slices.Sorted(maps.Keys(w.folders))
	errs := inParts(w, dirs, func(part *writer, dirs []string) (err error) {
		for _, dir := range dirs {
			for _, name := range w.folders[dir] {
				err = errors.Join(err, part.removeStagingIn(dir, name))
			}
		}
		return err
	})
	w.folders = nil
	return errors.Join(errs...)
}

// removeStagingRoot removes the staging folder of the package's own folder, which shows that there may be others.
func (w *writer) removeStagingRoot() (err error) {
	if w.own.name != "" {
		err = w.removeStagingIn(".", w.own.name)
	}
	w.own.close()
	return err
}

func (w *writer) removeStagingIn(dir, name string) error {
	in, err := w.in.At(dir, dir)
	if in == nil || err != nil {
		return err
	}
	return folder.Wrap(path.Join(dir, name), removeStagingFolder(in, name))
}
