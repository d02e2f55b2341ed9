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
	dir      string // where it writes to
	in       folders
	from, to Tree
	programs map[string]bool // which new files may be run

	ops       []op
	waiting   map[string]string // names of the folders in which new files wait, by the folder that these are for
	count     int               // how many files have waited
	held      *os.File          // the lock on the one of the package's own folder
	made      []string          // directories, parents first
	note      *os.File          // the list of those; nil until there is one
	announced string            // the last one in it
	probed    string            // the folder that was last seen to give up files
	cleared   clearing
	finishes  bool // a write that was killed, some of whose changes are made
	quiet     bool // in a folder that nobody knows of: what is made there need not be written down
}

// prepare writes the new files beside their places and makes sure that the old ones can go.
func (w *staging) prepare(changed []string) error {
	var bad troubles
	for _, p := range changed {
		o, err := w.look(p, changed)
		if o != nil {
			w.ops = append(w.ops, *o)
		}
		if !bad.add(err) {
			break
		}
	}
	slices.SortStableFunc(w.ops, func(a, b op) int { return cmp.Compare(a.turn(), b.turn()) })
	return bad.err()
}

// look finds out what has to be done about p, and stages its new content; nil when there is nothing to do.
func (w *staging) look(p string, changed []string) (*op, error) {
	st, err := w.in.lstat(p)
	b := w.to.Blob(p)
	if b != nil && w.inTheWay(p, st, changed) {
		tmp, err := w.stage(w.in.root, ".", b.Data(), w.modeOf(p))
		return staged(op{Tmp: tmp, Path: p, Is: digestOf(b.Data()), late: true}, mayWriteTo(p, err))
	}
	switch {
	case err != nil:
		return nil, err
	case st == nil && b == nil: // gone already
		return nil, nil
	case st == nil && w.from.Blob(p) != nil:
		return nil, fmt.Errorf("%s: was removed since it was read; try again", short(p))
	case st != nil && !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", short(p))
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
	mode := w.modeOf(p)
	if st != nil {
		mode = modeLike(st)
	}
	o.Tmp, err = w.stage(in, path.Dir(p), b.Data(), mode)
	if err == nil {
		err = o.owner.give(in, within(path.Dir(p), o.Tmp))
	}
	return staged(o, mayWriteTo(p, err))
}

// modeOf is the mode of p where no file is yet.
func (w *staging) modeOf(p string) fileMode {
	if w.programs[p] {
		return fileMode{bits: 0o755}
	}
	return fileMode{bits: 0o644}
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
		return fmt.Errorf("%s: may not be written to", short(o.Path))
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
		return fmt.Errorf("%s: exists, and was not read; move it, or have this written elsewhere", short(o.Path))
	case !read.Equal(o.old):
		return fmt.Errorf("%s: was changed since it was read; try again", short(o.Path))
	}
	o.old = read // so that it is in memory once
	return nil
}

// folder opens dir, for p, and makes it where it is missing.
func (w *staging) folder(dir, p string) (*os.Root, error) {
	in, err := w.in.reach(dir, p, w.mkdir)
	if in == nil && err == nil {
		err = fmt.Errorf("%s: %s went while the package was written", short(p), short(dir))
	}
	return in, err
}

// within is p as it is called in dir, in which it lies; empty for what does not.
func within(dir, p string) string {
	if dir == "." {
		return filepath.FromSlash(p)
	}
	rest, _ := strings.CutPrefix(p, dir+"/")
	if rest == p {
		return ""
	}
	return filepath.FromSlash(rest)
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
	if in == nil {
		return nil
	}
	tmp, held, err := newFolder(in)
	if err == nil {
		_ = held.Close() // nil where folders cannot be locked
		err = in.RemoveAll(tmp)
	}
	err = mayWriteTo(p, err)
	if err == nil {
		w.probed = dir
	}
	return err
}
