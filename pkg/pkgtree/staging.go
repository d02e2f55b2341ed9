package pkgtree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// staging is a write in progress: first everything that may fail, then the changes.
type staging struct {
	in       folders
	from, to Tree

	ops      []op
	made     []string // directories, parents first
	probed   string   // the folder that was last seen to give up files
	finishes bool     // a write that was killed, some of whose changes are made
}

// prepare writes the new files beside their places and makes sure that the old ones can go.
func (w *staging) prepare(changed []string) error {
	var errs error
	for _, p := range changed {
		o, err := w.look(p, changed)
		if errs = errors.Join(errs, err); o != nil {
			w.ops = append(w.ops, *o)
		}
	}
	slices.SortStableFunc(w.ops, func(a, b op) int { return cmp.Compare(a.turn(), b.turn()) })
	return errs
}

// look finds out what has to be done about p, and stages its new content; nil when there is nothing to do.
func (w *staging) look(p string, changed []string) (*op, error) {
	st, err := w.in.lstat(p)
	b := w.to.Blob(p)
	if b != nil && w.inTheWay(p, st, changed) {
		tmp, err := writeBeside(w.in.root, len(w.ops), b.Data(), 0)
		return staged(op{Tmp: tmp, Path: p, Is: digestOf(b.Data()), late: true}, err)
	}
	switch {
	case err != nil:
		return nil, err
	case st == nil && b == nil: // gone already
		return nil, nil
	case st == nil && w.from.Blob(p) != nil:
		return nil, fmt.Errorf("%s: was removed since it was read; try again", p)
	case st != nil && !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", p)
	}
	o := op{Path: p}
	if b != nil {
		o.Is = digestOf(b.Data())
	}
	if st != nil {
		if err := w.noteOld(&o, st); err != nil {
			return nil, err
		}
		if b != nil && b.Equal(o.old) {
			return nil, nil
		}
	}
	if b == nil {
		return &o, w.removable(p)
	}
	in, err := w.folder(path.Dir(p), p)
	if err != nil {
		return nil, err
	}
	o.Tmp, err = writeBeside(in, len(w.ops), b.Data(), o.mode)
	if err == nil {
		err = o.owner.give(in, o.Tmp)
	}
	if o.Tmp != "" {
		o.Tmp = path.Join(path.Dir(p), o.Tmp)
	}
	return staged(o, mayWriteTo(p, err))
}

// staged is o, unless its file could not even be made.
func staged(o op, err error) (*op, error) {
	if o.Tmp == "" {
		return nil, err
	}
	return &o, err
}

// noteOld notes what stands at o.Path, which has to be what was read there: nothing that somebody wrote
// since is lost.
func (w *staging) noteOld(o *op, st fs.FileInfo) error {
	data, err := w.in.content(o.Path, st, os.O_RDWR)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: may not be written to", o.Path)
	}
	if err != nil {
		return err
	}
	o.Was, o.mode, o.old = digestOf(data), st.Mode().Perm(), NewBlob(data)
	o.owner = ownerOf(st)
	read, wanted := w.from.Blob(o.Path), w.to.Blob(o.Path)
	switch {
	case wanted != nil && wanted.Equal(o.old): // somebody else has written the same
		return nil
	case read == nil:
		return fmt.Errorf("%s: exists, and was not read; move it, or have this written elsewhere", o.Path)
	case !read.Equal(o.old):
		return fmt.Errorf("%s: was changed since it was read; try again", o.Path)
	}
	o.old = read // so that it is in memory once
	return nil
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

// removable makes sure that the directory of p, a file, may be written to.
func (w *staging) removable(p string) error {
	dir := path.Dir(p)
	if dir == w.probed {
		return nil
	}
	in, err := w.in.at(dir, p)
	if err != nil {
		return err
	}
	tmp, err := writeBeside(in, len(w.ops), nil, 0)
	if tmp != "" {
		err = errors.Join(err, in.Remove(tmp))
	}
	err = mayWriteTo(p, err)
	if err == nil {
		w.probed = dir
	}
	return err
}
