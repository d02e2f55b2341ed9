package pkgtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// journalFile lists the changes of a write in progress. It is in the staging folder of the package. While it
// exists, the changes count as made: the next write finishes them, and reads include them. Earlier releases
// wrote legacyJournal to the package's folder instead.
const (
	journalFile   = "journal"
	legacyJournal = ".waybill-journal"
)

// maxJournal is far above the size of the journal of the largest package.
const maxJournal = 256 << 20

// journal is the content of that file. Folder identifies the folder that it was written for: in a copy of the folder, or in a clone
// of a repository to which another user added a journal, it is not valid.
type journal struct {
	Folder string `json:"folder"`
	Ops    []op   `json:"ops"`
}

// writeJournal writes the changes to the journal, atomically.
func (w *writer) writeJournal() error {
	id, err := identityOf(w.in.Root)
	if err != nil {
		return err
	}
	data, err := json.Marshal(journal{id, w.ops})
	if err != nil {
		return err
	}
	tmp, err := w.stage(w.in.Root, ".", data, folder.Mode{Bits: 0o600, Exact: true})
	if err != nil {
		return err
	}
	return w.in.Root.Rename(filepath.FromSlash(tmp), filepath.Join(w.own.name, journalFile))
}

// journalsAmong are the paths of the journals in the folder in.
func journalsAmong(in *os.Root, entries []fs.DirEntry) (paths []string) {
	for _, e := range entries {
		switch name := e.Name(); {
		case name == legacyJournal:
			paths = append(paths, name)
		case e.IsDir() && isTemporary(name) && folder.Exists(in, filepath.Join(name, journalFile)):
			paths = append(paths, path.Join(name, journalFile))
		}
	}
	return paths
}

// readJournals returns the changes that killed writes to the folder left to do, by journal. There is rarely more than one
// journal.
func readJournals(in *folder.Cache) (paths []string, ops [][]op, err error) {
	entries, err := fs.ReadDir(in.Root.FS(), ".")
	if err != nil {
		return nil, nil, folder.Wrap(".", err)
	}
	for _, p := range journalsAmong(in.Root, entries) {
		list, err := readJournal(in, p)
		if err != nil {
			return nil, nil, err
		}
		paths, ops = append(paths, p), append(ops, list)
	}
	return paths, ops, nil
}

// readJournal returns the changes in the journal p.
func readJournal(in *folder.Cache, p string) ([]op, error) {
	st, err := in.Lstat(p)
	if st == nil || err != nil {
		return nil, err
	}
	bad := func(why string) error {
		return fmt.Errorf("%s: %s; check what the interrupted write left (in folders called .waybill-tmp-), then remove the journal", p, why)
	}
	if !st.Mode().IsRegular() || st.Size() > maxJournal {
		return nil, bad("is not a list of changes")
	}
	data, err := in.ReadFile(p, st, os.O_RDONLY, nil)
	if err != nil {
		return nil, err
	}
	var j journal
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return nil, bad("is not a list of changes")
	}
	if here, err := identityOf(in.Root); err != nil || here != j.Folder {
		return nil, errors.Join(err, bad("belongs to another folder"))
	}
	for _, o := range j.Ops {
		if why := o.invalid(in); why != "" {
			return nil, bad(why)
		}
	}
	return j.Ops, nil
}

// invalid says why o cannot be made any more; empty when it can be made, or was made already.
func (o op) invalid(in *folder.Cache) string {
	if err := CheckPath(o.Path); err != nil {
		return err.Error()
	}
	if o.Tmp != "" && !isStaged(o.Tmp) {
		return fmt.Sprintf("names %q, which no write made", folder.Short(o.Tmp))
	}
	there, _ := in.Lstat(o.Path)                        // the change itself reports an error
	if o.Tmp == "" && (there == nil || there.IsDir()) { // removed already, and perhaps replaced by a folder
		return ""
	}
	want := o.Was
	if staged, _ := in.Lstat(o.Tmp); o.Tmp != "" && staged == nil { // then it was renamed already
		want = o.Is
	}
	switch {
	case there == nil || there.IsDir():
		if want == "" {
			return ""
		}
	case there.Mode().IsRegular():
		if data, err := in.ReadFile(o.Path, there, os.O_RDONLY, nil); err == nil && digestOf(data) == want {
			return ""
		}
	}
	return fmt.Sprintf("a write was interrupted, and %s was changed after that", folder.Short(o.Path))
}

// isStaged reports whether p can be a staged file.
func isStaged(p string) bool {
	dir, base := folder.Split(p)
	if isTemporary(path.Base(dir)) && strings.Trim(base, "0123456789") == "" {
		dir, base = folder.Split(dir)
	} // else an earlier release staged it beside its place
	return isTemporary(base) && (dir == "." || CheckPath(dir) == nil)
}

// overlay applies ops to blobs.
func overlay(in *folder.Cache, ops []op, blobs map[string]*Blob, only func(string) bool) error {
	for _, o := range ops {
		if only != nil && !only(path.Base(o.Path)) {
			continue
		}
		if o.Tmp == "" {
			delete(blobs, o.Path)
			continue
		}
		st, err := in.Lstat(o.Tmp)
		if st == nil && err == nil {
			continue // made already
		}
		var data []byte
		if err == nil {
			data, err = in.ReadFile(o.Tmp, st, os.O_RDONLY, nil)
		}
		if err != nil {
			return err
		}
		blobs[o.Path] = PackBlob(data)
	}
	return nil
}

// identityOf identifies the folder on this machine.
func identityOf(root *os.Root) (string, error) {
	st, err := root.Stat(".")
	if err != nil {
		return "", err
	}
	return osfile.Identity(st), nil
}

func removeJournal(root *os.Root, p string) error {
	err := root.Remove(filepath.FromSlash(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return folder.Wrap(p, err)
}
