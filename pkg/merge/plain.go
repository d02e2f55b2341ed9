package merge

import "github.com/waybill-dev/waybill/pkg/pkgtree"

// plainFile merges a file that is looked at as a whole. Where both sides changed it ours stays, and
// one that was deleted here comes back.
func plainFile(p string, v versions, prefer Prefer) (*pkgtree.Blob, []Conflict) {
	switch {
	case same(v.theirs, v.ours):
		return v.ours, nil
	case isGitFile(p) && same(v.base, v.theirs):
		return v.ours, nil
	case isGitFile(p):
		return v.ours, fileConflict(v, prefer, v.ours)
	case v.base != nil && v.ours == nil:
		if prefer == Upstream {
			return v.theirs, fileConflict(v, prefer, v.theirs)
		}
		return nil, fileConflict(v, prefer, nil)
	case same(v.base, v.theirs):
		return v.ours, nil
	case same(v.base, v.ours):
		return v.theirs, nil
	}
	return v.ours, fileConflict(v, prefer, v.ours)
}

// fileConflict is a conflict about the whole of a file.
func fileConflict(v versions, prefer Prefer, chosen *pkgtree.Blob) []Conflict {
	c := wholeConflict(v.base != nil,
		did(v.base != nil, v.theirs != nil, same(v.base, v.theirs)),
		did(v.base != nil, v.ours != nil, same(v.base, v.ours)))
	switch {
	case prefer == Fail || chosen == nil:
	case chosen == v.theirs:
		c.Chosen = word(chosenTheirs)
	default:
		c.Chosen = word(chosenOurs)
	}
	return []Conflict{c}
}
