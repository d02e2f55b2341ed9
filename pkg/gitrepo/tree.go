package gitrepo

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// Modes of tree entries, as Git writes them. Others that old tools left behind (100664) are kept
// as they are.
const (
	modeFile    = "100644"
	modeProgram = "100755"
	modeDir     = "40000"
	modeSymlink = "120000"
	modeModule  = "160000"
)

// entry is one line of a Git tree. Its mode is kept as written, so that a directory can be rewritten
// without a change of its other entries.
type entry struct {
	mode string
	name string
	id   Hash
}

// isDir accepts the mode with a leading zero, which some old tools wrote.
func (e entry) isDir() bool     { return strings.TrimPrefix(e.mode, "0") == modeDir }
func (e entry) isRegular() bool { return strings.HasPrefix(e.mode, "100") }

// isExecutable asks, as Git does, for the owner's bit alone.
func (e entry) isExecutable() bool {
	mode, err := strconv.ParseUint(e.mode, 8, 32)
	return err == nil && e.isRegular() && mode&0o100 != 0
}

// sortKey orders entries as Git does: a directory as if its name ended in a slash.
func (e entry) sortKey() string {
	if e.isDir() {
		return e.name + "/"
	}
	return e.name
}

// parseTree reads the entries of a tree object; encodeTree writes the same bytes.
func parseTree(data []byte) ([]entry, error) {
	const usual = 40 // bytes of an entry
	out := make([]entry, 0, len(data)/usual)
	err := eachEntry(data, func(mode, name, id []byte) { out = append(out, newEntry(mode, name, id)) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// eachEntry calls do with the entries of a tree object.
func eachEntry(data []byte, do func(mode, name, id []byte)) error {
	for n := 0; len(data) > 0; n++ {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		if !ok || len(mode) == 0 {
			return fmt.Errorf("malformed tree: entry %d has no mode", n)
		}
		name, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok || len(name) == 0 || len(rest) < len(Hash{}) {
			return fmt.Errorf("malformed tree: entry %d is truncated", n)
		}
		do(mode, name, rest[:len(Hash{})])
		data = rest[len(Hash{}):]
	}
	return nil
}

func newEntry(mode, name, id []byte) entry {
	e := entry{name: string(name), id: Hash(id)}
	switch string(mode) { // most are one of these, which take no memory
	case modeFile:
		e.mode = modeFile
	case modeDir:
		e.mode = modeDir
	default:
		e.mode = string(mode)
	}
	return e
}

// encodeTree writes entries in the order they have.
func encodeTree(entries []entry) []byte {
	size := 0
	for _, e := range entries {
		size += len(e.mode) + len(" ") + len(e.name) + len("\x00") + len(e.id)
	}
	out := make([]byte, 0, size)
	for _, e := range entries {
		out = append(out, e.mode+" "+e.name+"\x00"...)
		out = append(out, e.id[:]...)
	}
	return out
}

func readTree(from objects, id Hash) ([]entry, error) {
	o, err := load(from, plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	entries, err := entriesOf(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return entries, nil
}

// entryOf returns the entry of that name of a tree. It does not make the others.
func entryOf(from objects, tree Hash, name string) (found entry, ok bool, err error) {
	o, err := load(from, plumbing.TreeObject, tree)
	if err != nil {
		return entry{}, false, err
	}
	data, err := o.Content()
	if err != nil {
		return entry{}, false, fmt.Errorf("%s: %w", tree, err)
	}
	err = eachEntry(data, func(mode, at, id []byte) {
		if !ok && string(at) == name {
			found, ok = newEntry(mode, at, id), true
		}
	})
	if err != nil {
		return entry{}, false, fmt.Errorf("%s: %w", tree, err)
	}
	return found, ok, nil
}

// entriesOf reads the entries of a tree.
func entriesOf(o *pack.Object) ([]entry, error) {
	data, err := o.Content()
	if err != nil {
		return nil, err
	}
	return parseTree(data)
}

func find(entries []entry, name string) (entry, bool) {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name })
	if i < 0 {
		return entry{}, false
	}
	return entries[i], true
}

// with returns entries with e put in place of the entry of its name, or added, in Git's order.
// A zero id takes the entry out.
func with(entries []entry, e entry) []entry {
	out := slices.DeleteFunc(slices.Clone(entries), func(o entry) bool { return o.name == e.name })
	if e.id.IsZero() {
		return out
	}
	at := slices.IndexFunc(out, func(o entry) bool { return o.sortKey() > e.sortKey() })
	if at < 0 {
		at = len(out)
	}
	return slices.Insert(out, at, e)
}
