package revision_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// everyStage is a repository with a revision at every stage of the life cycle.
func everyStage(t *testing.T) (dir string, s *revision.Store, by map[string]revision.Revision) {
	t.Helper()
	dir, s = newRepo(t, revision.Config{})
	ok := must(t)
	publish(t, s, initDraft(t, "out", "published"))
	ok(s.ProposeDeletion(ctx, publish(t, s, initDraft(t, "out", "leaving"))))
	for _, w := range []string{"draft", "other-draft"} {
		ok(s.CreateDraft(ctx, initDraft(t, "new", w)))
	}
	for _, w := range []string{"proposed", "second"} {
		ok(s.Propose(ctx, ok(s.CreateDraft(ctx, initDraft(t, "web", w)))))
	}
	return dir, s, byWorkspace(t, s)
}

func byWorkspace(t testing.TB, s *revision.Store) map[string]revision.Revision {
	t.Helper()
	by := map[string]revision.Revision{}
	for _, r := range list(t, s) {
		by[r.Workspace] = r
	}
	return by
}

// TestChangeAll takes every kind of step in one push.
func TestChangeAll(t *testing.T) {
	dir, s, by := everyStage(t)
	gittest.Hook(t, dir, "post-receive", `cat > /dev/null; git update-ref "refs/pushes/$(git for-each-ref refs/pushes | wc -l)" main`)
	got, err := s.ChangeAll(ctx, []revision.Change{
		{Op: revision.OpApprove, Revision: by["second"]},
		{Op: revision.OpApprove, Revision: by["proposed"]},
		{Op: revision.OpPropose, Revision: by["draft"]},
		{Op: revision.OpDelete, Revision: by["other-draft"]},
		{Op: revision.OpUndoDeletion, Revision: by["leaving"]},
		{Op: revision.OpProposeDeletion, Revision: by["published"]},
	}, later(9))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"web second 1 Published", "web proposed 2 Published *", "new draft 0 Proposed", "  0 ",
		"out leaving 2 Published *", "out published 1 DeletionProposed"}
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("the revisions afterwards, in the order of the changes (-want +got):\n%s", diff)
	}
	if n := strings.Count(gittest.Git(t, dir, "for-each-ref", "refs/pushes"), "commit"); n != 1 {
		t.Errorf("%d pushes, want one", n)
	}
	if got := gittest.Git(t, dir, "log", "--first-parent", "-2", "--format=%s", "main"); got != "Approving package revision web/2\nApproving package revision web/1" {
		t.Errorf("a commit for each approval, in order; got\n%s", got)
	}
	if got, want := gittest.Git(t, dir, "rev-parse", "web/v2^1"), gittest.Git(t, dir, "rev-parse", "web/v1"); got != want {
		t.Errorf("the parent of the second approval is %s, the first approval is %s", got, want)
	}
	gittest.Git(t, dir, "update-ref", "-d", "refs/pushes/0")
	checkLaws(t, dir, s, revision.Config{})
}

// TestChangeAllOrNothing has one step among valid ones that is refused.
func TestChangeAllOrNothing(t *testing.T) {
	testenv.Long(t, "a hook refuses at every step")
	for name, tc := range map[string]struct {
		reason  string
		arrange func(t *testing.T, dir string)
		bad     func(by map[string]revision.Revision) []revision.Change
		stale   bool
		err     string
	}{
		"forbidden": {reason: "a rule forbids one", err: `approve of package "new", workspace "draft": it is a draft: propose it first`,
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: revision.OpApprove, Revision: by["draft"]}}
			}},
		"overtaken": {reason: "another client commits to a draft that is to be deleted", stale: true, err: "change of 3 package revisions: ",
			arrange: func(t *testing.T, dir string) {
				gittest.Commit(t, dir, gittest.Change{Branch: "drafts/new/draft", Files: gittest.Files(map[string]string{"new/mine": ""})})
			},
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: revision.OpDelete, Revision: by["draft"]}}
			}},
		"overtaken, proposed": {reason: "another client moves a proposal that is to be approved, and main, too", stale: true, err: "change of 3 package revisions: ",
			arrange: func(t *testing.T, dir string) {
				gittest.Commit(t, dir, gittest.Change{Branch: "proposed/web/second", Files: gittest.Files(map[string]string{"web/mine": ""})})
				gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"beside": ""})})
			},
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: revision.OpApprove, Revision: by["second"]}}
			}},
		"retagged": {reason: "another client moves a tag that is to be deleted", stale: true, err: "change of 3 package revisions: ",
			arrange: func(t *testing.T, dir string) { gittest.Git(t, dir, "tag", "--force", "out/v2", "main~1") },
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: revision.OpDelete, Revision: by["leaving"]}}
			}},
		"twice": {reason: "two steps concern one revision", err: "twice",
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: revision.OpApprove, Revision: by["second"]}, {Op: revision.OpReject, Revision: by["second"]}}
			}},
		"no step": {reason: "there is no such step", err: `there is no such step`,
			bad: func(by map[string]revision.Revision) []revision.Change {
				return []revision.Change{{Op: "praise", Revision: by["second"]}}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s, by := everyStage(t)
			if tc.arrange != nil {
				tc.arrange(t, dir)
			}
			changes := append([]revision.Change{{Op: revision.OpApprove, Revision: by["proposed"]}, {Op: revision.OpPropose, Revision: by["other-draft"]}}, tc.bad(by)...)
			unchanged(t, tc.reason, dir, func() {
				got, err := s.ChangeAll(ctx, changes, later(9))
				if err == nil || got != nil || isStale(err) != tc.stale || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: got %v, %v; want %q", tc.reason, brief(got), err, tc.err)
				}
			})
		})
	}
	_, s := newRepo(t, revision.Config{})
	if got, err := s.ChangeAll(ctx, nil, later(9)); got != nil || err != nil {
		t.Errorf("an empty list of changes returned %v, %v", got, err)
	}
}

// TestChangeAllRaces moves main during a push of several approvals.
func TestChangeAllRaces(t *testing.T) {
	dir, _, _ := everyStage(t)
	moved := false
	url := gittest.NewHTTP(t, dir, gittest.BeforeReceive(func() {
		if !moved {
			moved = true
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"theirs": ""})})
		}
	}))
	s := openStore(t, url, revision.Config{})
	by := byWorkspace(t, s)
	_, err := s.ChangeAll(ctx, []revision.Change{{Op: revision.OpApprove, Revision: by["proposed"]}, {Op: revision.OpApprove, Revision: by["second"]}}, later(9))
	if err != nil {
		t.Fatal(err)
	}
	if got := gittest.Git(t, dir, "log", "--first-parent", "-3", "--format=%s", "main"); got != "Approving package revision web/2\nApproving package revision web/1\nchange" || !moved {
		t.Errorf("the approvals are not based on the commits that came meanwhile; got\n%s", got)
	}
	checkLaws(t, dir, s, revision.Config{})
}
