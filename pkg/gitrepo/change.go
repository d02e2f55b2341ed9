package gitrepo

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ChangeFiles returns root with files below dir added or replaced, and those with a nil Blob removed, together with
// the directories emptied by that. Everything else stays, including modes, links and submodules. A link, submodule or
// directory in the place of a file is an error, and so is a file in the place of a directory.
func (s *Stage) ChangeFiles(root Hash, dir string, files map[string]*pkgtree.Blob) (Hash, error) {
	full := make(map[string]*pkgtree.Blob, len(files))
	for at, blob := range files {
		at = path.Join(dir, at)
		if err := pkgtree.CheckPath(at); err != nil {
			return Hash{}, err
		}
		full[at] = blob
	}
	id, err := s.changeFiles(root, "", full, slices.Sorted(maps.Keys(full)))
	if err != nil {
		return Hash{}, fmt.Errorf("repository %q: change directory %q: %w", s.repo.URL(), dir, err)
	}
	return s.treeOrEmpty(id)
}

// changeFiles changes the tree root, whose path ends in a slash unless it is "", at the sorted paths.
func (s *Stage) changeFiles(root Hash, prefix string, files map[string]*pkgtree.Blob, paths []string) (Hash, error) {
	entries, err := s.entries(root)
	if err != nil {
		return Hash{}, err
	}
	for len(paths) > 0 {
		name, n, inDir := firstEntry(paths, prefix)
		old, _ := find(entries, name)
		now, err := s.changeEntry(old, prefix+name, files, paths[:n], inDir)
		if err != nil {
			return Hash{}, err
		}
		now.name = name
		entries, paths = with(entries, now), paths[n:]
	}
	return s.putEntries(entries, root)
}

func (s *Stage) changeEntry(old entry, at string, files map[string]*pkgtree.Blob, paths []string, inDir bool) (entry, error) {
	there := !old.id.IsZero()
	switch {
	case inDir && there && !old.isDir():
		return entry{}, fmt.Errorf("%q is not a directory", at)
	case inDir:
		id, err := s.changeFiles(old.id, at+"/", files, paths)
		return entry{mode: modeDir, id: id}, err
	case there && !old.isRegular():
		return entry{}, fmt.Errorf("%q is not a file", at)
	}
	blob, mode := files[paths[0]], modeFile
	if blob == nil {
		return entry{}, nil
	}
	if there {
		mode = old.mode
	}
	id, err := s.putBlob(blob)
	return entry{mode: mode, id: id}, err
}
