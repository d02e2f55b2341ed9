package snapshot

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// IsAncestor reports whether a commit is another one, or an ancestor of it. A commit that the repository does not have is none.
func (r *Repository) IsAncestor(ctx context.Context, commit, of string) (bool, error) {
	if _, err := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{commit}"); err != nil {
		if isQuietNo(err) {
			return false, nil
		}
		return false, err
	}
	_, err := line(ctx, r.Root, "merge-base", "--is-ancestor", "--end-of-options", commit, of)
	if isQuietNo(err) {
		return false, nil
	}
	return err == nil, err
}

// Branch returns the full name of a branch: that of the remote origin, where reviewed commits arrive, or else the local one, or one of
// another remote.
func (r *Repository) Branch(ctx context.Context, name string) (string, error) {
	for _, ref := range []string{"refs/remotes/origin/" + name, "refs/heads/" + name, "refs/remotes/" + name} {
		_, err := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
		if err == nil {
			return ref, nil
		}
		if !isQuietNo(err) {
			return "", err
		}
	}
	return "", fmt.Errorf("the repository has no branch %q; in CI, fetch it first", name)
}

// Position returns how many commits a branch had when it pointed to a commit; 0 if it never did. It follows first parents, so that
// commits of drafts that were merged into the branch do not count.
func (r *Repository) Position(ctx context.Context, commit, branch string) (int, error) {
	out, err := git(ctx, r.Root, "rev-list", "--first-parent", "--end-of-options", branch)
	_, from, found := strings.Cut("\n"+string(out), "\n"+commit+"\n")
	if err != nil || !found {
		return 0, err
	}
	return strings.Count(from, "\n") + 1, nil
}

// TagsAt returns the last parts of the tags that name a commit and begin with the folder of r, as those of published package revisions do.
func (r *Repository) TagsAt(ctx context.Context, commit string) (names []string, err error) {
	out, err := git(ctx, r.Root, "for-each-ref", "--points-at="+commit, "--format=%(refname:lstrip=2)", "refs/tags")
	for tag := range strings.Lines(string(out)) {
		tag = strings.TrimSuffix(tag, "\n")
		if dir, name := path.Split(tag); strings.TrimSuffix(dir, "/") == r.Prefix {
			names = append(names, name)
		}
	}
	return names, err
}
