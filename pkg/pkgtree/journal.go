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
	"syscall"
)

// journalIn is the file that lists the changes of a write in progress, beside the files that wait. While it is
// there, they count as made: whoever writes next finishes them, whoever reads sees them. Earlier releases have it
// in the package's folder, as journalName.
const (
	journalIn   = "journal"
	journalName = ".waybill-journal"
)

// mostOfJournal is far above what the largest package takes.
const mostOfJournal = 256 << 20

// journal is what stands in that file. Folder is the folder it was written for: in a copy, or in a clone
// that somebody filled with one of theirs, it means nothing.
type journal struct {
	Folder string `json:"folder"`
	Ops    []op   `json:"ops"`
}

// writeJournal notes what is to be done, whole or not at all.
func (w *staging) writeJournal() error {
	folder, err := identityOf(w.in.root)
	if err != nil {
		return err
	}
	data, err := json.Marshal(journal{folder, w.ops})
	if err != nil {
		return err
	}
	tmp, err := w.stage(w.in.root, ".", data, fileMode{0o600, true})
	if err != nil {
		return err
	}
	return w.in.root.Rename(filepath.FromSlash(tmp), filepath.Join(w.waiting["."], journalIn))
}

// journalsAmong are those of what lies in the folder in.
func journalsAmong(in *os.Root, entries []fs.DirEntry) (paths []string) {
	for _, e := range entries {
		switch name := e.Name(); {
		case name == journalName:
			paths = append(paths, name)
		case e.IsDir() && isTemporary(name) && has(in, filepath.Join(name, journalIn)):
			paths = append(paths, path.Join(name, journalIn))
		}
	}
	return paths
}

// readJournals gives what writes to the folder which were killed have left to do, by journal: in all but the
// oddest case of one.
func readJournals(in *folders) (paths []string, ops [][]op, err error) {
	entries, err := fs.ReadDir(in.root.FS(), ".")
	if err != nil {
		return nil, nil, about(".", err)
	}
	for _, p := range journalsAmong(in.root, entries) {
		list, err := readJournal(in, p)
		if err != nil {
			return nil, nil, err
		}
		paths, ops = append(paths, p), append(ops, list)
	}
	return paths, ops, nil
}

// readJournal gives the changes in the journal p.
func readJournal(in *folders, p string) ([]op, error) {
	st, err := in.lstat(p)
	if st == nil || err != nil {
		return nil, err
	}
	bad := func(why string) error {
		return fmt.Errorf("%s: %s; see what is left of the write that it is of (in folders called .waybill-tmp-), then remove it", p, why)
	}
	if !st.Mode().IsRegular() || st.Size() > mostOfJournal {
		return nil, bad("is no list of changes")
	}
	data, err := in.content(p, st, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	var j journal
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return nil, bad("is no list of changes")
	}
	if here, err := identityOf(in.root); err != nil || here != j.Folder {
		return nil, errors.Join(err, bad("is of another folder"))
	}
	for _, o := range j.Ops {
		if why := o.unsound(in); why != "" {
			return nil, bad(why)
		}
	}
	return j.Ops, nil
}

// unsound says why o cannot be made any more; empty when it can, or is made already.
func (o op) unsound(in *folders) string {
	if err := CheckPath(o.Path); err != nil {
		return err.Error()
	}
	if o.Tmp != "" && !isStaged(o.Tmp) {
		return fmt.Sprintf("names %q, which is not of its making", short(o.Tmp))
	}
	there, _ := in.lstat(o.Path)                        // what cannot be looked at fails when it is changed
	if o.Tmp == "" && (there == nil || there.IsDir()) { // gone, and perhaps a folder for others by now
		return ""
	}
	want := o.Was
	if waits, _ := in.lstat(o.Tmp); o.Tmp != "" && waits == nil { // then it has its name
		want = o.Is
	}
	switch {
	case there == nil || there.IsDir():
		if want == "" {
			return ""
		}
	case there.Mode().IsRegular():
		if data, err := in.content(o.Path, there, os.O_RDONLY); err == nil && digestOf(data) == want {
			return ""
		}
	}
	return fmt.Sprintf("a write was interrupted, and %s was changed since", short(o.Path))
}

// isStaged reports whether p can be a file that waits for its name.
func isStaged(p string) bool {
	dir, base := split(p)
	if isTemporary(path.Base(dir)) && strings.Trim(base, "0123456789") == "" {
		dir, base = split(dir)
	} // else by an earlier release, which had it wait in the folder that it is for
	return isTemporary(base) && (dir == "." || CheckPath(dir) == nil)
}

// overlay makes blobs what they are once ops are made.
func overlay(in *folders, ops []op, blobs map[string]*Blob, only func(string) bool) error {
	for _, o := range ops {
		if only != nil && !only(path.Base(o.Path)) {
			continue
		}
		if o.Tmp == "" {
			delete(blobs, o.Path)
			continue
		}
		st, err := in.lstat(o.Tmp)
		if st == nil && err == nil {
			continue // made already
		}
		var data []byte
		if err == nil {
			data, err = in.content(o.Tmp, st, os.O_RDONLY)
		}
		if err != nil {
			return err
		}
		blobs[o.Path] = NewBlob(data)
	}
	return nil
}

// identityOf tells the folder from all others on this machine.
func identityOf(root *os.Root) (string, error) {
	st, err := root.Stat(".")
	if err != nil {
		return "", err
	}
	s, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino), nil
}

func removeJournal(root *os.Root, p string) error {
	err := root.Remove(filepath.FromSlash(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return about(p, err)
}
