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
	in folders
	to Tree

	files  []stagedFile
	late   []string // paths that are in the way of one another until files are removed
	made   []string // directories, parents first
	probed string   // the folder that was last seen to give up files
}

// stagedFile is a file that waits in its folder for its name.
type stagedFile struct{ dir, tmp, name string }

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
	st, err := w.in.lstat(p)
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
	dir, base := split(p)
	in, err := w.folder(dir, p)
	if err != nil {
		return err
	}
	tmp, err := writeBeside(in, len(w.files), b.Data(), mode)
	if tmp != "" {
		w.files = append(w.files, stagedFile{dir, tmp, base})
	}
	return err
}

// folder opens dir, for p, and makes it where it is missing.
func (w *staging) folder(dir, p string) (*os.Root, error) {
	in, err := w.in.at(dir, p)
	if in != nil || err != nil {
		return in, err
	}
	if err := w.mkdir(dir); err != nil {
		return nil, err
	}
	if in, err = w.in.at(dir, p); in == nil && err == nil {
		err = fmt.Errorf("%s: %s went while the package was written", p, dir)
	}
	return in, err
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
	err := w.in.root.Mkdir(filepath.FromSlash(dir), 0o755)
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
	st, err := w.in.lstat(p)
	if st == nil || err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", p)
	}
	dir := path.Dir(p)
	if dir == w.probed {
		return nil
	}
	in, err := w.in.at(dir, p)
	if err != nil {
		return err
	}
	tmp, err := writeBeside(in, len(w.files), nil, 0)
	if tmp != "" {
		err = errors.Join(err, in.Remove(tmp))
	}
	if err == nil {
		w.probed = dir
	}
	return err
}

// commit removes and renames.
func (w *staging) commit(changed []string) error {
	var err error
	for _, p := range changed {
		if w.to.Blob(p) == nil {
			err = errors.Join(err, w.in.remove(p))
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
		if err := w.rename(w.files[0]); err != nil {
			return err
		}
		w.files = w.files[1:]
	}
	return nil
}

func (w *staging) rename(f stagedFile) error {
	in, err := w.folder(f.dir, path.Join(f.dir, f.name))
	if err != nil {
		return err
	}
	return in.Rename(f.tmp, f.name)
}

// undo takes away what was not put in its place, and directories that were made for it.
func (w *staging) undo() error {
	var err error
	for _, f := range w.files {
		err = errors.Join(err, w.in.root.Remove(filepath.FromSlash(path.Join(f.dir, f.tmp))))
	}
	w.in.close()
	for _, d := range slices.Backward(w.made) {
		_ = w.in.root.Remove(filepath.FromSlash(d)) // one that holds something stays
	}
	return err
}
