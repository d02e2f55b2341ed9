package gitrepo

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Put writes a package's files and returns the tree they form. A package knows no modes: a file that is
// executable in old, the tree that the new one follows, still is; all others have mode 100644. old may be zero.
func (s *Stage) Put(pkg pkgtree.Tree, old Hash) (Hash, error) {
	return s.putFiles(pkg, pkg.Paths(), "", old)
}

// putFiles makes the tree of paths, all of which begin with prefix and stand in byte order. That
// is the order of Git's trees as well, since a directory sorts there as if it ended in a slash.
func (s *Stage) putFiles(pkg pkgtree.Tree, paths []string, prefix string, old Hash) (Hash, error) {
	before, err := s.byName(old)
	if err != nil {
		return Hash{}, err
	}
	var entries []entry
	for len(paths) > 0 {
		name, n, _ := firstEntry(paths, prefix)
		e, err := s.putEntry(pkg, paths[:n], prefix+name, before[name])
		if err != nil {
			return Hash{}, err
		}
		e.name = name
		entries = append(entries, e)
		paths = paths[n:]
	}
	return s.put(pack.NewObject(plumbing.TreeObject, encodeTree(entries)))
}

// firstEntry is the name below prefix with which the sorted paths begin, and how many paths are of it: one for a file, or all in a
// directory.
func firstEntry(paths []string, prefix string) (name string, n int, isDir bool) {
	name, _, isDir = strings.Cut(paths[0][len(prefix):], "/")
	n = 1
	for isDir && n < len(paths) && strings.HasPrefix(paths[n], prefix+name+"/") {
		n++
	}
	return name, n, isDir
}

// putEntry puts what is to be at a path: a file of that path, or a directory. The entry has no name yet.
func (s *Stage) putEntry(pkg pkgtree.Tree, paths []string, at string, old entry) (e entry, err error) {
	if paths[0] != at {
		if !old.isDir() {
			old.id = Hash{}
		}
		e.mode = modeDir
		e.id, err = s.putFiles(pkg, paths, at+"/", old.id)
		return e, err
	}
	e.mode = modeFile
	if old.isExecutable() {
		e.mode = modeProgram
	}
	e.id, err = s.putBlob(pkg.Blob(at))
	return e, err
}

func (s *Stage) putBlob(b *pkgtree.Blob) (Hash, error) {
	id := Hash(b.GitID())
	if have, err := s.object(id); err != nil || have != nil {
		return id, err
	}
	return s.put(pack.NewObjectOf(plumbing.BlobObject, id, b.Data()).Compact())
}

// byName are the entries of a tree; the zero one has none.
func (s *Stage) byName(tree Hash) (map[string]entry, error) {
	entries, err := s.entries(tree)
	out := make(map[string]entry, len(entries))
	for _, e := range entries {
		out[e.name] = e
	}
	return out, err
}
