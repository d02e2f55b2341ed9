package gitrepo_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRehearse pushes the same twice, for show and in earnest: the views agree, and only the
// second reaches the remote.
func TestRehearse(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		head := seed(t, dir, map[string]string{"p/a": "1"})
		gittest.Git(t, dir, "branch", "other", "main")
		before := gittest.Refs(t, dir)
		rehearsal, earnest := open(t, url), open(t, url)
		rehearsal.Rehearse()
		push := func(r *gitrepo.Repo) (stale error) {
			stage := r.Stage()
			old, next := rewrite(t, r, stage, "p", map[string]string{"a": "2", "b": "3"})
			err := stage.Push(t.Context(), []gitrepo.RefUpdate{
				{Name: "refs/heads/main", Old: old, New: next}, {Name: "refs/tags/p/v1", New: next}, {Name: "refs/heads/other", Old: old}})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			return stage.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/main", Old: old, New: next}})
		}
		told := push(rehearsal)
		if diff := cmp.Diff(before, gittest.Refs(t, dir)); diff != "" {
			t.Fatalf("a rehearsal moves no ref (-before +after):\n%s", diff)
		}
		var a, b *gitrepo.StaleError
		if !errors.As(told, &a) || !errors.As(push(earnest), &b) || *a != *b {
			t.Errorf("what is stale in earnest is stale in the rehearsal, got %v", told)
		}
		if diff := cmp.Diff(listing(earnest), listing(rehearsal)); diff != "" {
			t.Errorf("the views agree (-earnest +rehearsal):\n%s", diff)
		}
		main, _ := rehearsal.Ref("refs/heads/main")
		if got, err := rehearsal.Package(main.Commit, "p"); err != nil || text(got)["b"] != "3" || main.Commit.String() == head {
			t.Errorf("what was rehearsed can be read: %v %v", text(got), err)
		}
	})
}
