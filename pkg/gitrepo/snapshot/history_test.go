package snapshot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
)

// TestHistory: a merged draft is an ancestor of the branch, but the branch never pointed to it.
func TestHistory(t *testing.T) {
	dir := gittest.NewBare(t)
	first := gittest.Commit(t, dir, gittest.Change{Message: "first"})
	git := func(args ...string) string { return strings.TrimSpace(gittest.Git(t, dir, args...)) }
	tree := git("rev-parse", first+"^{tree}")
	commit := func(parents ...string) string {
		args := []string{"-c", "user.name=T", "-c", "user.email=t@example.com", "commit-tree", tree, "-m", "x"}
		for _, p := range parents {
			args = append(args, "-p", p)
		}
		return git(args...)
	}
	draft := commit(first)
	merged := commit(first, draft)
	git("update-ref", "refs/heads/main", merged)
	git("update-ref", "refs/remotes/origin/main", first)
	for _, tag := range []string{"shop/v3", "v1", "eu/shop/v4"} {
		git("tag", tag, merged)
	}
	r := &snapshot.Repository{Root: dir, Prefix: "shop"}
	type answer struct {
		Ancestor bool
		Position int
	}
	for name, tc := range map[string]struct {
		commit string
		want   answer
	}{"first": {first, answer{true, 1}}, "draft": {draft, answer{true, 0}}, "merged": {merged, answer{true, 2}}, "unknown": {strings.Repeat("1", 40), answer{}}} {
		ancestor, err := r.IsAncestor(t.Context(), tc.commit, merged)
		if err != nil {
			t.Fatal(err)
		}
		position, err := r.Position(t.Context(), tc.commit, "refs/heads/main")
		if err != nil {
			t.Fatal(err)
		}
		if got := (answer{ancestor, position}); got != tc.want {
			t.Errorf("%s: want %v, got %v", name, tc.want, got)
		}
	}
	if older, err := r.IsAncestor(t.Context(), merged, first); err != nil || older {
		t.Errorf("a later commit is no ancestor: %v %v", older, err)
	}
	for name, want := range map[string]string{"main": "refs/remotes/origin/main", "none": ""} {
		if got, err := r.Branch(t.Context(), name); got != want || (err != nil) != (want == "") {
			t.Errorf("branch %s: got %q %v", name, got, err)
		}
	}
	got, err := r.TagsAt(t.Context(), merged)
	if diff := cmp.Diff([]string{"v3"}, got); err != nil || diff != "" {
		t.Errorf("tags: %v\n%s", err, diff)
	}
}
