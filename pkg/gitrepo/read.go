package gitrepo

import (
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// DirError is the error for a directory missing from a commit.
type DirError struct {
	Commit Hash
	Dir    string
}

func (e *DirError) Error() string {
	return fmt.Sprintf("commit %s has no directory %q", e.Commit, e.Dir)
}

// objects is a source of objects: the view of a Repo, a Stage over it, a pack, or a cached commit. object returns nil, nil
// for a missing object.
type objects interface {
	object(Hash) (*pack.Object, error)
}

// load reads an object, which must exist and have the given kind.
func load(from objects, kind plumbing.ObjectType, id Hash) (*pack.Object, error) {
	o, err := from.object(id)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, fmt.Errorf("%s %s is missing", kind, id)
	case o.Kind != kind:
		return nil, fmt.Errorf("%s is a %s, want a %s", id, o.Kind, kind)
	}
	return o, nil
}

func (r *Repo) object(id Hash) (*pack.Object, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.store[id], nil
}

const maxTagDepth = 8 // tags of tags

// peel follows tags to a commit; zero if there is none at the end.
func (r *Repo) peel(id Hash) Hash {
	commit, err := peel(r, id)
	if err != nil {
		return Hash{}
	}
	return commit
}

func peel(from objects, id Hash) (Hash, error) {
	for range maxTagDepth {
		o, err := from.object(id)
		if err != nil || o == nil {
			return Hash{}, err
		}
		if o.Kind == plumbing.CommitObject {
			return id, nil
		}
		var tag object.Tag
		if o.Kind != plumbing.TagObject || tag.Decode(o) != nil {
			return Hash{}, nil
		}
		id = tag.Target
	}
	return Hash{}, nil
}

// Commit returns the content of a commit.
func (r *Repo) Commit(id Hash) (Commit, error) {
	c, err := decodeCommit(r, id)
	if err != nil {
		return Commit{}, fmt.Errorf("repository %q: %w", r.URL(), err)
	}
	return c, nil
}

// DirID returns the id of a directory's tree, the same for the same content. The root is "". A
// directory that is not there is a *DirError.
func (r *Repo) DirID(commit Hash, dir string) (Hash, error) {
	id, err := r.findDir(commit, dir)
	if err == nil && id.IsZero() {
		return id, &DirError{Commit: commit, Dir: dir}
	}
	return id, err
}

// findDir is DirID that returns the zero Hash for a directory that is not there.
func (r *Repo) findDir(commit Hash, dir string) (Hash, error) {
	c, err := r.Commit(commit)
	if err != nil {
		return Hash{}, err
	}
	if err := r.needTree(c); err != nil {
		return Hash{}, err
	}
	id, err := descend(r, c.Tree, dir)
	if err != nil {
		return Hash{}, fmt.Errorf("repository %q: commit %s: %w", r.URL(), commit, err)
	}
	return id, nil
}

// descend follows dir from the tree root; zero when there is no such directory.
func descend(from objects, root Hash, dir string) (Hash, error) {
	for _, part := range segments(dir) {
		e, ok, err := entryOf(from, root, part)
		if err != nil || !ok || !e.isDir() {
			return Hash{}, err
		}
		root = e.id
	}
	return root, nil
}

func segments(dir string) []string {
	if dir == "" || dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// HasFile reports whether the commit has a regular file at p.
func (r *Repo) HasFile(commit Hash, p string) (bool, error) {
	id, err := r.findDir(commit, path.Dir(p))
	if err != nil || id.IsZero() {
		return false, err
	}
	e, ok, err := entryOf(r, id, path.Base(p))
	return ok && e.isRegular(), err
}
