package gitrepo

import (
	"fmt"
	"path"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Stage contains objects to push, over the view of a Repo, which are invisible outside before Push. A Stage belongs
// to one goroutine; a failed push leaves it unchanged.
type Stage struct {
	repo   *Repo
	staged map[Hash]*pack.Object
}

// Stage begins an empty Stage.
func (r *Repo) Stage() *Stage { return &Stage{repo: r, staged: map[Hash]*pack.Object{}} }

func (s *Stage) object(id Hash) (*pack.Object, error) {
	if o := s.staged[id]; o != nil {
		return o, nil
	}
	return s.repo.object(id)
}

// put adds o unless the remote has it.
func (s *Stage) put(o *pack.Object) (Hash, error) {
	have, err := s.object(o.ID)
	if err == nil && have == nil {
		s.staged[o.ID] = o
	}
	return o.ID, err
}

// Root returns the root tree of a commit, staged or not. The root of the zero Hash is zero, as that of an empty
// repository.
func (s *Stage) Root(commit Hash) (Hash, error) {
	if commit.IsZero() {
		return Hash{}, nil
	}
	c, err := decodeCommit(s, commit)
	if err == nil && s.staged[commit] == nil {
		err = s.repo.needTree(c)
	}
	return c.Tree, err
}

// DirID returns the tree of dir below root; zero if there is no such directory.
func (s *Stage) DirID(root Hash, dir string) (Hash, error) {
	if root.IsZero() {
		return root, nil
	}
	return descend(s, root, dir)
}

// ReplaceDir returns root with the directory dir, "" for all of it, replaced wholesale by pkg, and
// everything else as it was. A file that was executable there still is. An empty pkg removes the directory.
func (s *Stage) ReplaceDir(root Hash, dir string, pkg pkgtree.Tree) (Hash, error) {
	if pkg.Len() == 0 {
		return s.GraftDir(root, dir, Hash{})
	}
	old, err := s.DirID(root, dir)
	if err != nil {
		return Hash{}, err
	}
	tree, err := s.Put(pkg, old)
	if err != nil {
		return Hash{}, err
	}
	return s.GraftDir(root, dir, tree)
}

// GraftDir is ReplaceDir by an existing tree. The zero tree removes the directory and the directories emptied
// by that.
func (s *Stage) GraftDir(root Hash, dir string, tree Hash) (Hash, error) {
	if dir != "" {
		if err := pkgtree.CheckPath(dir); err != nil {
			return Hash{}, err
		}
	}
	id, err := s.graft(root, "", segments(dir), tree)
	if err != nil {
		return Hash{}, fmt.Errorf("repository %q: replace directory %q: %w", s.repo.URL(), dir, err)
	}
	return s.treeOrEmpty(id)
}

// treeOrEmpty returns a tree, or the empty one for zero: a commit needs a tree.
func (s *Stage) treeOrEmpty(id Hash) (Hash, error) {
	if id.IsZero() {
		return s.put(pack.NewObject(plumbing.TreeObject, nil))
	}
	return id, nil
}

// entries returns the entries of a tree; the zero tree has none.
func (s *Stage) entries(tree Hash) ([]entry, error) {
	if tree.IsZero() {
		return nil, nil
	}
	return readTree(s, tree)
}

// putEntries adds the tree of entries and returns its id, zero without entries. In memory it is a delta of the tree that it replaces,
// if it is nearly that.
func (s *Stage) putEntries(entries []entry, old Hash) (Hash, error) {
	if len(entries) == 0 {
		return Hash{}, nil
	}
	base, err := s.object(old)
	if err != nil {
		return Hash{}, err
	}
	return s.put(pack.NewObject(plumbing.TreeObject, encodeTree(entries)).CompactLike(base))
}

func (s *Stage) graft(root Hash, at string, parts []string, tree Hash) (Hash, error) {
	if len(parts) == 0 {
		return tree, nil
	}
	entries, err := s.entries(root)
	if err != nil {
		return Hash{}, err
	}
	here := path.Join(at, parts[0])
	old, there := find(entries, parts[0])
	if there && !old.isDir() {
		return Hash{}, fmt.Errorf("%q is not a directory", here)
	}
	child, err := s.graft(old.id, here, parts[1:], tree)
	if err != nil {
		return Hash{}, err
	}
	return s.putEntries(with(entries, entry{mode: modeDir, name: parts[0], id: child}), root)
}

// PutFile returns root with a file at its top and everything else unchanged.
func (s *Stage) PutFile(root Hash, name string, b *pkgtree.Blob) (Hash, error) {
	entries, err := s.entries(root)
	if err != nil {
		return Hash{}, err
	}
	if old, there := find(entries, name); there && old.isDir() {
		return Hash{}, fmt.Errorf("repository %q: %q is a directory, and a file of that name is to be written", s.repo.URL(), name)
	}
	id, err := s.putBlob(b)
	if err != nil {
		return Hash{}, err
	}
	return s.putEntries(with(entries, entry{mode: modeFile, name: name, id: id}), root)
}

// Commit stages the commit c without c.Hash and returns its id.
func (s *Stage) Commit(c Commit) (Hash, error) {
	o, err := encodeCommit(c)
	if err != nil {
		return Hash{}, err
	}
	return s.put(o)
}

// CommitTime returns the commit time of a commit, staged or not.
func (s *Stage) CommitTime(commit Hash) (time.Time, error) {
	c, err := decodeCommit(s, commit)
	return c.Committer.When, err
}
