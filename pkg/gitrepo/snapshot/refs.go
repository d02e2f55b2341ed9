package snapshot

import (
	"context"
	"strconv"
	"strings"
)

// Ref is a branch, tag or remote branch.
type Ref struct {
	Name    string // in full: refs/heads/main
	Message string // of its commit
}

// Short is how users name the ref: main, v1, origin/main.
func (r Ref) Short() string {
	for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
		if short, ok := strings.CutPrefix(r.Name, prefix); ok {
			return short
		}
	}
	return r.Name
}

// mostRefs is how many refs Refs reads.
const mostRefs = 10_000

// Refs lists the branches, tags and remote branches of the repository that dir is, or is in, by name. It reads no objects
// but commits and tags, so that it is quick.
func Refs(ctx context.Context, dir string) ([]Ref, error) {
	out, err := git(ctx, dir, "for-each-ref", "--count="+strconv.Itoa(mostRefs), "--format=%(refname)%00%(contents)%00%(*contents)%00",
		"refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	var refs []Ref
	for len(fields) > 3 {
		r := Ref{Name: strings.TrimPrefix(fields[0], "\n"), Message: fields[1]}
		if fields[2] != "" { // that of the commit of a tag with a message of its own
			r.Message = fields[2]
		}
		refs, fields = append(refs, r), fields[3:]
	}
	return refs, nil
}
