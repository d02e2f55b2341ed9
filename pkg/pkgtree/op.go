package pkgtree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// op is one change of a folder: the file that waits at Tmp gets its name, or, where there is none, the
// file of that name goes.
type op struct {
	Tmp  string `json:"tmp,omitempty"`
	Path string `json:"path"`
	Was  string `json:"was,omitempty"` // digest of the file that stands at Path before; empty for none
	Is   string `json:"is,omitempty"`  // digest of the file that stands there afterwards; empty for none

	old  *Blob       // that file
	mode fs.FileMode // its permissions
	late bool        // files have to go first

	owner *owner // of that file
}

// kptfile is the file that says what a package is of.
const kptfile = "Kptfile"

// turn is when o is made: new files get their names before old ones go, so that at any time each
// resource has a file, but for names that are in the way of one another until then. What says which
// version a package is of comes last: it is not to say so before all of that version is there.
func (o op) turn() int {
	switch {
	case o.Tmp != "" && path.Base(o.Path) == kptfile:
		return 3
	case o.late:
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

// apply makes the change. One that was made already stays.
func (w *staging) apply(o op) error {
	if o.Tmp == "" {
		if st, _ := w.in.lstat(o.Path); st == nil && w.finishes { // a file may stand on the way by now
			w.in.removeEmpty(path.Dir(o.Path), -1) // it may have been killed just before that
			return nil
		}
		return w.in.remove(o.Path)
	}
	dir, base := split(o.Path)
	in, err := w.folder(dir, o.Path)
	if err != nil {
		return err
	}
	if from := within(dir, o.Tmp); from != "" {
		err = in.Rename(from, base)
	} else { // from the root, as what is late
		err = w.in.root.Rename(filepath.FromSlash(o.Tmp), filepath.FromSlash(o.Path))
	}
	if err == nil {
		return nil
	}
	if st, _ := w.in.lstat(o.Tmp); st == nil && w.finishes {
		return nil
	}
	if st, _ := w.in.lstat(o.Path); st != nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", short(o.Path))
	}
	return mayWriteTo(o.Path, err)
}

// revert puts back what stood at o.Path before apply.
func (w *staging) revert(o op) error {
	if o.old == nil {
		return w.in.remove(o.Path)
	}
	dir, base := split(o.Path)
	in, err := w.folder(dir, o.Path)
	if err != nil {
		return err
	}
	tmp, err := w.stage(in, dir, o.old.Data(), fileMode{o.mode, true})
	if err == nil {
		err = o.owner.give(in, within(dir, tmp))
	}
	if err == nil {
		err = in.Rename(within(dir, tmp), base)
	}
	return mayWriteTo(o.Path, err)
}

// content reads the file p, of which st says that it is one; how is os.O_RDONLY, or os.O_RDWR to see that
// it may be written to.
func (f *folders) content(p string, st fs.FileInfo, how int) ([]byte, error) {
	dir, base := split(p)
	in, err := f.at(dir, p)
	if err != nil {
		return nil, err
	}
	changed := fmt.Errorf("%s: changed while it was looked at", short(p))
	if in == nil {
		return nil, changed
	}
	file, err := in.OpenFile(base, how, 0)
	if err != nil {
		return nil, about(p, err)
	}
	defer file.Close()
	if now, err := file.Stat(); err != nil || !os.SameFile(st, now) {
		return nil, changed
	}
	data, err := readAtMost(file, st.Size()+1)
	return data, about(p, err)
}
