package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// closure is what stands under id, and all that belongs to it, each object once: the tags on the way
// to a commit, the commit, its files and directories; not the commits before it. A list of what is to
// do, and no recursion: a hostile tree may be as deep as a pack.
func closure(from objects, id Hash) ([]*encoded, error) {
	var out []*encoded
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
		next, err := belongings(from, o)
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

// belongings are references without a commit's parents, and with what a tag stands for.
func belongings(from objects, o *encoded) ([]Hash, error) {
	switch o.kind {
	case plumbing.CommitObject:
		c, err := decodeCommit(from, o.id)
		return []Hash{c.Tree}, err
	case plumbing.TagObject:
		var tag object.Tag
		err := tag.Decode(o)
		return []Hash{tag.Target}, err
	}
	return references(from, o)
}
