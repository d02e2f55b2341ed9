package pkgtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// journalName is the file that lists the changes of a write in progress. While it is there, they count
// as made: whoever writes next finishes them, whoever reads sees them.
const journalName = ".waybill-journal"

// mostOfJournal is far above what the largest package takes.
const mostOfJournal = 256 << 20

// journal is what stands in that file. Folder is the folder it was written for: in a copy, or in a clone
// that somebody filled with one of theirs, it means nothing.
type journal struct {
	Folder string `json:"folder"`
	Ops    []op   `json:"ops"`
}

// writeJournal notes ops, whole or not at all.
func writeJournal(root *os.Root, ops []op) error {
	folder, err := identityOf(root)
	if err != nil {
		return err
	}
	data, err := json.Marshal(journal{folder, ops})
	if err != nil {
		return err
	}
	return replace(root, journalName, data, fileMode{0o600, true}, nil)
}

// readJournal gives the changes that a write which was killed has left, nil when there are none.
func readJournal(in *folders) ([]op, error) {
	st, err := in.lstat(journalName)
	if st == nil || err != nil {
		return nil, err
	}
	bad := func(why string) error {
		return fmt.Errorf("%s: %s; see what is left of the write that it is of (.waybill-tmp- files), then remove it", journalName, why)
	}
	if !st.Mode().IsRegular() || st.Size() > mostOfJournal {
		return nil, bad("is no list of changes")
	}
	data, err := in.content(journalName, st, os.O_RDONLY)
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

func removeJournal(root *os.Root) error {
	err := root.Remove(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return about(journalName, err)
}
