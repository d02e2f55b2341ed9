package pkgtree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// op is one change of a folder: the staged file Tmp is renamed to Path or, if Tmp is empty, the
// file Path is removed.
type op struct {
	Tmp  string `json:"tmp,omitempty"`
	Path string `json:"path"`
	Was  string `json:"was,omitempty"` // digest of the file at Path before the change; empty for none
	Is   string `json:"is,omitempty"`  // digest of the file at Path after the change; empty for none

	old           *Blob         // the file at Path before the change
	mode          fs.FileMode   // its permissions
	owner         *folder.Owner // its owner
	afterRemovals bool          // files must be removed first
}

// kptfile is the file that names the version of a package.
const kptfile = "Kptfile"

// phase orders the changes: new files are renamed before old files are removed, so that each
// resource has a file at any time, unless an old file blocks the new one. The Kptfile, which names the
// version of the package, comes last: it must not name a version before all its files are there.
func (o op) phase() int {
	switch {
	case o.Tmp != "" && path.Base(o.Path) == kptfile:
		return 3
	case o.afterRemovals:
		return 2
	case o.Tmp == "":
		return 1
	}
	return 0
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// apply makes the change, if it is not made yet.
func (w *writer) apply(o op) error {
	if o.Tmp == "" {
		if st, _ := w.in.Lstat(o.Path); st == nil && w.recovering { // a file may have replaced a parent
			w.in.RemoveEmpty(path.Dir(o.Path), -1) // the write may have been killed before it did so
			return nil
		}
		return w.in.Remove(o.Path)
	}
	dir, base := folder.Split(o.Path)
	in, err := w.folder(dir, o.Path)
	if err != nil {
		return err
	}
	if from := within(dir, o.Tmp); from != "" {
		err = in.Rename(from, base)
	} else { // it is staged at the root, see afterRemovals
		err = w.in.Root.Rename(filepath.FromSlash(o.Tmp), filepath.FromSlash(o.Path))
	}
	if err == nil {
		return nil
	}
	if st, _ := w.in.Lstat(o.Tmp); st == nil && w.recovering {
		return nil
	}
	if st, _ := w.in.Lstat(o.Path); st != nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", folder.Short(o.Path))
	}
	return folder.WrapWrite(o.Path, err)
}

// revert restores the file at o.Path as it was before apply.
func (w *writer) revert(o op) error {
	if o.old == nil {
		return w.in.Remove(o.Path)
	}
	dir, base := folder.Split(o.Path)
	in, err := w.folder(dir, o.Path)
	if err != nil {
		return err
	}
	tmp, _, err := w.stageBlob(in, dir, o.old, folder.Mode{Bits: o.mode, Exact: true})
	if err == nil {
		err = o.owner.Give(in, within(dir, tmp))
	}
	if err == nil {
		err = in.Rename(within(dir, tmp), base)
	}
	return folder.WrapWrite(o.Path, err)
}
