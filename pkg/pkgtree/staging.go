package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// staging is a write in progress: first everything that may fail, then the renames.
type staging struct {
	root *os.Root
	to   Tree

	files []stagedFile
	late  []string // paths that are in the way of one another until files are removed
	made  []string // directories, parents first
}

type stagedFile struct{ tmp, name string }

// prepare writes the new files beside their places and makes sure that the old ones can go.
func (w *staging) prepare(changed []string) error {
	var err error
	for _, p := range changed {
		if b := w.to.Blob(p); b != nil {
			err = errors.Join(err, w.stage(p, b, changed))
		} else {
			err = errors.Join(err, w.removable(p))
		}
	}
	return err
}

func (w *staging) stage(p string, b *Blob, changed []string) error {
	st, err := lstat(w.root, p)
	if w.inTheWay(p, st, changed) {
		w.late = append(w.late, p)
		return nil
	}
	if err != nil {
		return err
	}
	var mode fs.FileMode // zero: a new file, whose permissions are up to the umask
	if st != nil {
		if !st.Mode().IsRegular() {
			return fmt.Errorf("%s: not a regular file", p)
		}
		mode = st.Mode().Perm() // a file that was there keeps its permissions
	}
	dir := path.Dir(p)
	if err := w.mkdir(dir); err != nil {
		return err
	}
	tmp, err := writeBeside(w.root, filepath.FromSlash(dir), len(w.files), b.Data(), mode)
	if tmp != "" {
		w.files = append(w.files, stagedFile{tmp, filepath.FromSlash(p)})
	}
	return err
}

// inTheWay reports whether p can only be written once files are removed: a file becomes a
// directory, or the reverse.
func (w *staging) inTheWay(p string, st fs.FileInfo, changed []string) bool {
	if st != nil && st.IsDir() {
		return slices.ContainsFunc(changed, func(c string) bool { return w.to.Blob(c) == nil && strings.HasPrefix(c, p+"/") })
	}
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if _, gone := slices.BinarySearch(changed, d); gone && w.to.Blob(d) == nil {
			return true
		}
	}
	return false
}

// mkdir makes dir and remembers which directories it made on the way.
func (w *staging) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	if err := w.mkdir(path.Dir(dir)); err != nil {
		return err
	}
	err := w.root.Mkdir(filepath.FromSlash(dir), 0o755)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		w.made = append(w.made, dir)
	}
	return err
}

// removable makes sure that p is a file, or gone already, in a directory that may be written to.
func (w *staging) removable(p string) error {
	st, err := lstat(w.root, p)
	if st == nil || err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", p)
	}
	tmp, err := writeBeside(w.root, filepath.FromSlash(path.Dir(p)), len(w.files), nil, 0)
	if tmp != "" {
		err = errors.Join(err, w.root.Remove(tmp))
	}
	return err
}

// commit removes and renames.
func (w *staging) commit(changed []string) error {
	var err error
	for _, p := range changed {
		if w.to.Blob(p) == nil {
			err = errors.Join(err, remove(w.root, p))
		}
	}
	if err != nil {
		return err
	}
	for _, p := range w.late {
		if err := w.stage(p, w.to.Blob(p), nil); err != nil {
			return err
		}
	}
	for len(w.files) > 0 {
		if err := w.root.Rename(w.files[0].tmp, w.files[0].name); err != nil {
			return err
		}
		w.files = w.files[1:]
	}
	return nil
}

// undo takes away what was not put in its place, and directories that were made for it.
func (w *staging) undo() error {
	var err error
	for _, f := range w.files {
		err = errors.Join(err, w.root.Remove(f.tmp))
	}
	for _, d := range slices.Backward(w.made) {
		_ = w.root.Remove(filepath.FromSlash(d)) // one that holds something stays
	}
	return err
}
