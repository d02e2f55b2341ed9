package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// closure returns all objects below id, each once: the tags before a commit, the commit, its files and
// directories, but not its parents. It loops instead of recursing: a hostile tree may be as deep as a pack
// is long.
func closure(from objects, id Hash) ([]*pack.Object, error) {
	var out []*pack.Object
	seen := map[Hash]bool{id: true}
	for todo := []Hash{id}; len(todo) > 0; {
		o, err := from.object(todo[len(todo)-1])
		if err != nil {
			return nil, err
		}
		if o == nil {
			return nil, fmt.Errorf("object %s is missing", todo[len(todo)-1])
		}
		todo = todo[:len(todo)-1]
		out = append(out, o)
		next, err := contents(from, o)
		if err != nil {
			return nil, err
		}
		for _, id := range next {
			if !seen[id] {
				seen[id] = true
				todo = append(todo, id)
			}
		}
	}
	return out, nil
}

// contents returns the references of o without the parents of a commit and with the target of a tag.
func contents(from objects, o *pack.Object) ([]Hash, error) {
	switch o.Kind {
	case plumbing.CommitObject:
		c, err := decodeCommit(from, o.ID)
		return []Hash{c.Tree}, err
	case plumbing.TagObject:
		var tag object.Tag
		err := tag.Decode(o)
		return []Hash{tag.Target}, err
	}
	return references(from, o)
}

// references returns the objects that o refers to, without the commits of submodules.
func references(from objects, o *pack.Object) ([]Hash, error) {
	var out []Hash
	switch o.Kind {
	case plumbing.CommitObject:
		c, err := decodeCommit(from, o.ID)
		return append([]Hash{c.Tree}, c.Parents...), err
	case plumbing.TreeObject:
		entries, err := entriesOf(o)
		for _, e := range entries {
			if e.mode != modeModule {
				out = append(out, e.id)
			}
		}
		return out, err
	}
	return nil, nil
}

// Weight returns the bytes of memory of the objects of a commit and its history in the view. It does not count objects in
// known, nor those below them only, and adds the counted ones to known.
func (r *Repo) Weight(commit Hash, known map[Hash]struct{}) (bytes int64, err error) {
	for todo := []Hash{commit}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, is := known[id]; is || id.IsZero() {
			continue
		}
		known[id] = struct{}{}
		o, err := r.object(id)
		if err != nil || o == nil { // a submodule's commit is not here
			if err != nil {
				return 0, err
			}
			continue
		}
		bytes += o.MemorySize()
		next, err := references(r, o)
		if err != nil {
			return 0, err
		}
		todo = append(todo, next...)
	}
	return bytes, nil
}
