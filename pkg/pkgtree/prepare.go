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

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// prepare stages the new files and checks that the old ones can be removed: on all processors if there are many. If that fails, it does
// so again in turn, since the errors of the first files are the ones to report.
func (w *writer) prepare(changed []string) error {
	plan := func(part *writer, paths []string) error { return part.planAll(paths, changed) }
	err := errors.Join(inParts(w, changed, plan)...)
	if err != nil && w.isMany(len(changed)) {
		if err = w.end(w.made); err == nil {
			w.inTurn, w.ops, w.made = true, nil, nil
			err = plan(w, changed)
		}
	}
	slices.SortStableFunc(w.ops, func(a, b op) int { return cmp.Compare(a.phase(), b.phase()) })
	return err
}

// planAll plans the changes of paths, some of those that changed.
func (w *writer) planAll(paths, changed []string) error {
	var bad errorList
	for _, p := range paths {
		o, err := w.plan(p, changed)
		if o != nil {
			w.ops = append(w.ops, *o)
		}
		if !bad.add(err) {
			break
		}
	}
	return bad.err()
}

// plan returns the change of p, and stages its new content; nil when there is nothing to do.
func (w *writer) plan(p string, changed []string) (*op, error) {
	st, err := w.in.Lstat(p)
	b := w.to.Blob(p)
	if b != nil && w.isBlocked(p, st, changed) {
		o := op{Path: p, afterRemovals: true}
		o.Tmp, o.Is, err = w.stageBlob(w.in.Root, ".", b, w.modeOf(p))
		return staged(o, folder.WrapWrite(p, err))
	}
	switch {
	case err != nil:
		return nil, err
	case st == nil && b == nil: // removed already
		return nil, nil
	case st == nil && w.from.Blob(p) != nil:
		return nil, fmt.Errorf("%s: was removed after it was read; try again", folder.Short(p))
	case st != nil && !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", folder.Short(p))
	}
	o := op{Path: p}
	if st != nil {
		if err := w.checkOld(&o, st); err != nil {
			return nil, err
		}
		if b != nil && b == o.old {
			return nil, nil
		}
	}
	if b == nil {
		return &o, w.removable(p)
	}
	return w.stageContent(o, st, b)
}

// stageContent stages the new content of the file of o, with the mode and owner of the old one, st, if there is one.
func (w *writer) stageContent(o op, st fs.FileInfo, b *Blob) (*op, error) {
	dir := path.Dir(o.Path)
	in, err := w.folder(dir, o.Path)
	if err != nil {
		return nil, err
	}
	mode := w.modeOf(o.Path)
	if st != nil {
		mode = folder.ModeOf(st)
	}
	o.Tmp, o.Is, err = w.stageBlob(in, dir, b, mode)
	if err == nil {
		err = o.owner.Give(in, within(dir, o.Tmp))
	}
	return staged(o, folder.WrapWrite(o.Path, err))
}

// modeOf is the mode of p where no file is yet.
func (w *writer) modeOf(p string) folder.Mode {
	if w.programs.Has(p) {
		return folder.Mode{Bits: 0o755}
	}
	return folder.Mode{Bits: 0o644}
}

// staged is o, or nil if its file could not be made.
func staged(o op, err error) (*op, error) {
	if o.Tmp == "" {
		return nil, err
	}
	return &o, err
}

// checkOld fills in the old file at o.Path, which must be as it was read: otherwise another process
// changed it meanwhile, and its change would be lost.
func (w *writer) checkOld(o *op, st fs.FileInfo) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := w.in.ReadFile(o.Path, st, os.O_RDWR, *buf)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: no permission to write to it", folder.Short(o.Path))
	}
	if err != nil {
		return err
	}
	*buf, o.Was, o.mode, o.owner = data, digestOf(data), st.Mode().Perm(), folder.OwnerOf(st)
	read, wanted := w.from.Blob(o.Path), w.to.Blob(o.Path)
	switch {
	case read != nil && read.Holds(data):
		o.old = read
	case wanted != nil && wanted.Holds(data): // another process wrote the same content
		o.old = wanted
	case read == nil:
		return fmt.Errorf("%s: exists, but was not read; move it, or write the package to another folder", folder.Short(o.Path))
	default:
		return fmt.Errorf("%s: was changed after it was read; try again", folder.Short(o.Path))
	}
	return nil
}

// folder opens dir for the file p, and makes it if it is missing.
func (w *writer) folder(dir, p string) (*os.Root, error) {
	in, err := w.in.Reach(dir, p, w.mkdir)
	if in == nil && err == nil {
		err = fmt.Errorf("%s: %s was removed while the package was written", folder.Short(p), folder.Short(dir))
	}
	return in, err
}

// within is the path of p from dir; empty when p is not in dir.
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

// removable checks that the directory of the file p may be written to.
func (w *writer) removable(p string) error {
	dir := path.Dir(p)
	if dir == w.writable {
		return nil
	}
	in, err := w.in.At(dir, p)
	if err != nil {
		return err
	}
	if in == nil {
		return nil
	}
	tmp, held, err := newStagingFolder(in)
	if err == nil {
		_ = held.Close() // nil if folders cannot be locked
		err = in.RemoveAll(tmp)
	}
	err = folder.WrapWrite(p, err)
	if err == nil {
		w.writable = dir
	}
	return err
}
