package gitrepo

import (
	"errors"
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Package reads a directory of a commit: every file with its bytes, whatever its mode. A symbolic
// link or submodule in it is an error with its path, and so is a package that exceeds the limits of the Repo. Package skips the
// remains of an interrupted write of Waybill, see pkgtree.IsWorkName.
func (r *Repo) Package(commit Hash, dir string) (pkgtree.Tree, error) {
	id, err := r.DirID(commit, dir)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	tree, err := r.readAll(id, reader{})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("repository %q: package %q at %s: %w", r.URL(), dir, commit, err)
	}
	return tree, nil
}

// Files reads the possible files of a package in a directory of a commit: it skips links, submodules and names invalid in
// packages. A directory that does not exist has no files.
func (r *Repo) Files(commit Hash, dir string) (pkgtree.Tree, error) {
	id, err := r.findDir(commit, dir)
	if err != nil || id.IsZero() {
		return pkgtree.Tree{}, err
	}
	tree, err := r.readAll(id, reader{leave: func(LeftOut) {}, odd: true})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("repository %q: directory %q at %s: %w", r.URL(), dir, commit, err)
	}
	return tree, nil
}

// readAll reads a tree with the options how.
func (r *Repo) readAll(tree Hash, how reader) (pkgtree.Tree, error) {
	how.from, how.blob, how.limits, how.files = r, r.blob, r.limits, map[string]*pkgtree.Blob{}
	if err := how.walk(tree, "", 0); err != nil {
		return pkgtree.Tree{}, err
	}
	return pkgtree.FromBlobs(how.files)
}

// maxDirDepth bounds how far directories nest, so that a hostile tree cannot exhaust the stack.
const maxDirDepth = 256

// blobReader reads a blob of at most that many bytes; a larger one is errTooLarge, and is not unpacked.
type blobReader func(id Hash, most int64) (*pkgtree.Blob, error)

var errTooLarge = errors.New("the blob is too large")

type reader struct {
	from    objects
	blob    blobReader
	leave   func(LeftOut)   // gets what a package cannot hold; nil makes that an error
	program func(at string) // gets the paths of executable files; may be nil
	odd     bool            // skip names that no package can hold
	limits  pkgtree.Limits
	seen    int // files and directories: empty directories count too, as a small pack may hold very many
	bytes   int64
	files   map[string]*pkgtree.Blob
}

func (rd *reader) walk(id Hash, dir string, depth int) error {
	entries, err := readTree(rd.from, id)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		if seen[e.name] {
			return fmt.Errorf("%s: the directory lists it twice", path.Join(dir, e.name))
		}
		seen[e.name] = true
		if err := rd.take(e, path.Join(dir, e.name), depth); err != nil {
			return err
		}
	}
	return nil
}

func (rd *reader) take(e entry, at string, depth int) error {
	if rd.seen++; rd.seen > rd.limits.Files {
		return fmt.Errorf("more than %d files and directories", rd.limits.Files)
	}
	if pkgtree.IsWorkName(e.name) {
		rd.leftover(e, at)
		return nil
	}
	if err := pkgtree.CheckPath(e.name); err != nil || path.Base(e.name) != e.name {
		if rd.odd {
			return nil
		}
		return fmt.Errorf("%q is not a file name a package can hold", e.name)
	}
	switch {
	case e.isDir() && depth == maxDirDepth:
		return fmt.Errorf("%s: directories nest deeper than %d", at, maxDirDepth)
	case e.isDir():
		return rd.walk(e.id, at, depth+1)
	case e.mode == modeSymlink:
		return rd.leaveOut(LeftOut{Path: at, Kind: "symbolic link"})
	case e.mode == modeModule:
		return rd.leaveOut(LeftOut{Path: at, Kind: "submodule"})
	case !e.isRegular():
		return fmt.Errorf("%s: unknown file mode %q", at, e.mode)
	}
	if rd.program != nil && e.isExecutable() {
		rd.program(at)
	}
	return rd.file(e.id, at)
}

func (rd *reader) leaveOut(l LeftOut) error {
	if rd.leave == nil {
		return fmt.Errorf("%s: a package cannot hold a %s", l.Path, l.Kind)
	}
	rd.leave(l)
	return nil
}

// leftover skips the remains of an interrupted write of Waybill that a user committed by mistake.
func (rd *reader) leftover(e entry, at string) {
	kind := "temporary file of an interrupted write"
	if e.isDir() {
		kind = "temporary folder of an interrupted write"
	}
	if rd.leave != nil {
		rd.leave(LeftOut{Path: at, Kind: kind})
	}
}

func (rd *reader) file(id Hash, at string) error {
	b, err := rd.blob(id, rd.limits.Bytes-rd.bytes)
	if err == nil { // a blob that is shared counts, too
		rd.bytes += int64(len(b.Data()))
	}
	if errors.Is(err, errTooLarge) || rd.bytes > rd.limits.Bytes {
		return fmt.Errorf("%s: more than %d bytes in all", at, rd.limits.Bytes)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	rd.files[at] = b
	return nil
}
