package revision_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func TestDeletion(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	ok := must(t)
	find := func(workspace string) revision.Revision {
		t.Helper()
		for _, r := range list(t, s) {
			if r.Workspace == workspace {
				return r
			}
		}
		t.Fatalf("no workspace %q", workspace)
		return revision.Revision{}
	}
	step := func(reason string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, brief(list(t, s))); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", reason, diff)
		}
		checkLaws(t, dir, s, revision.Config{})
	}
	remove := func(rev revision.Revision) {
		t.Helper()
		if err := s.Delete(ctx, rev, later(9)); err != nil {
			t.Fatal(err)
		}
	}
	ok(s.CreateDraft(ctx, initDraft(t, "b", "w")))
	ok(s.Propose(ctx, ok(s.CreateDraft(ctx, initDraft(t, "c", "w2")))))
	publish(t, s, initDraft(t, "a/x", "w1"))
	remove(find("w"))
	remove(find("w2"))
	step("a deleted draft or proposal leaves nothing", "a/x main -1 Published", "a/x w1 1 Published *")

	ok(s.ProposeDeletion(ctx, find("w1")))
	if got, want := gittest.Git(t, dir, "rev-parse", "deletionProposed/a/x/v1"), gittest.Git(t, dir, "rev-parse", "a/x/v1"); got != want {
		t.Errorf("the proposal is at %s, the revision at %s", got, want)
	}
	step("a proposal to delete shows", "a/x main -1 Published", "a/x w1 1 DeletionProposed *")
	ok(s.UndoDeletion(ctx, find("w1")))
	step("and can be taken back", "a/x main -1 Published", "a/x w1 1 Published *")

	ok(s.ProposeDeletion(ctx, find("w1")))
	ok(s.ProposeDeletion(ctx, find("main")))
	step("the placeholder may go too", "a/x main -1 DeletionProposed", "a/x w1 1 DeletionProposed *")
	remove(find("w1"))
	step("deleting a revision leaves the content on main", "a/x main -1 DeletionProposed")

	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"late": ""})}) // main moves after the last refresh
	remove(find("main"))
	step("deleting the placeholder takes the content away")
	if got := gittest.Git(t, dir, "log", "-1", "--format=%s", "main"); got != "Delete a/x" {
		t.Errorf("the commit says %q", got)
	}
	if got := gittest.Git(t, dir, "ls-tree", "-r", "--name-only", "main"); got != "README.md\nlate" {
		t.Errorf("main holds\n%s", got)
	}
	if got := gittest.Git(t, dir, "for-each-ref", "--format=%(refname)"); got != "refs/heads/main" {
		t.Errorf("refs are left:\n%s", got)
	}
}

// TestDeletionWithdrawn withdraws the proposal before the deletion.
func TestDeletionWithdrawn(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	publish(t, s, initDraft(t, "a", "w1"))
	for _, rev := range list(t, s) {
		must(t)(s.ProposeDeletion(ctx, rev))
	}
	gittest.Git(t, dir, "branch", "-D", "deletionProposed/a/v1", "deletionProposed/a/main")
	for _, seen := range []bool{false, true} { // by the time of the deletion
		revs := list(t, s)
		if seen {
			if err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for _, rev := range revs {
			unchanged(t, "a deletion that is no longer wanted", dir, func() {
				if err := s.Delete(ctx, rev, later(9)); err == nil {
					t.Errorf("%s was deleted although the proposal was withdrawn (seen: %v)", rev.Name, seen)
				}
			})
		}
	}
}
