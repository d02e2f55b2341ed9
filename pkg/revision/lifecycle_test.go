package revision_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestLifecycle takes one package through two revisions, and checks the repository after every
// step with real git.
func TestLifecycle(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	ok := must(t)
	step := func(reason string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, brief(list(t, s))); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", reason, diff)
		}
		checkLaws(t, dir, s, revision.Config{})
	}
	rev := ok(s.CreateDraft(ctx, cloneRequest(t)))
	first := rev.Commit
	step("created", "net/upf packagevariant-1 0 Draft")

	rev = ok(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "more"), Owner: owner, Stamp: later(6)}))
	if got := gittest.Git(t, dir, "show", "-s", "--format=%P %ct %B", rev.Ref); got != first.String()+" 1767225960 "+
		"Rendering package\n\n\nkpt:{\"package\":\"net/upf\",\"workspaceName\":\"packagevariant-1\",\"revision\":\"0\",\"task\":{\"type\":\"render\"}}\n\nWaybill-Owner: PackageVariant fleet/upf\n" {
		t.Errorf("an update adds no commit; got %q", got)
	}
	unchanged(t, "the same content again", dir, func() {
		if same := ok(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "more"), Owner: owner, Stamp: later(9)})); same.Commit != rev.Commit {
			t.Error("the same content made a commit")
		}
	})
	updated := rev.Commit

	rev = ok(s.Propose(ctx, rev))
	step("proposed", "net/upf packagevariant-1 0 Proposed")
	rev = ok(s.Reject(ctx, rev))
	step("rejected", "net/upf packagevariant-1 0 Draft")
	rev = ok(s.Propose(ctx, rev))
	if rev.Commit != updated {
		t.Error("proposals and drafts are the same commit")
	}

	main := gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"beside": "x"}), When: later(8).When})
	rev = ok(s.Approve(ctx, rev, later(7))) // main has moved since the view was taken
	if got := gittest.Git(t, dir, "show", "-s", "--format=%P|%ct|%B", "main"); got != main+" "+updated.String()+"|1767226080|"+
		"Approving package revision net/upf/1\n\nkpt:{\"package\":\"net/upf\",\"workspaceName\":\"packagevariant-1\",\"revision\":\"1\"}\n\nWaybill-Owner: PackageVariant fleet/upf\n" {
		t.Errorf("an approval merges main and the draft, and is no older than either; got %q", got)
	}
	if got := gittest.Git(t, dir, "ls-tree", "-r", "--name-only", "main"); got != "README.md\nbeside\nnet/upf/Kptfile\nnet/upf/conf/a.yaml" {
		t.Errorf("main lost the files of others; got\n%s", got)
	}
	if got := gittest.Git(t, dir, "for-each-ref", "--format=%(objecttype) %(refname)"); got != "commit refs/heads/main\ncommit refs/tags/net/upf/v1" {
		t.Errorf("a lightweight tag, and no branch left; got\n%s", got)
	}
	if rev.Owner != owner || rev.Foreign || rev.Task == nil || rev.Task.Clone == nil || rev.Name != "edge.net.upf.packagevariant-1" {
		t.Errorf("owner and task are lost by the approval; got %+v", rev)
	}
	step("published", "net/upf main -1 Published", "net/upf packagevariant-1 1 Published *")

	next := initDraft(t, "net/upf", "w2")
	next.Content = content(t, map[string]string{"Kptfile": "# 2"})
	publish(t, s, next)
	if got := gittest.Git(t, dir, "ls-tree", "-r", "--name-only", "main", "net"); got != "net/upf/Kptfile" {
		t.Errorf("the whole package is not replaced; got\n%s", got)
	}
	step("published again", "net/upf main -1 Published", "net/upf packagevariant-1 1 Published", "net/upf w2 2 Published *")
	was, err := s.Content(rev)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(pkg(t, "more")), text(was)); diff != "" {
		t.Errorf("revision 1 changed (-want +got):\n%s", diff)
	}
}

// TestForbiddenMoves tries every change at every stage of the life cycle.
func TestForbiddenMoves(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	ok := must(t)
	publish(t, s, initDraft(t, "a", "published"))
	ok(s.ProposeDeletion(ctx, publish(t, s, initDraft(t, "a", "leaving"))))
	ok(s.CreateDraft(ctx, initDraft(t, "a", "draft")))
	ok(s.Propose(ctx, ok(s.CreateDraft(ctx, initDraft(t, "a", "proposed")))))
	ops := map[string]func(revision.Revision) error{
		"update": func(r revision.Revision) error {
			_, err := s.UpdateDraft(ctx, r, revision.Update{Content: pkg(t, "x")})
			return err
		},
		"propose": func(r revision.Revision) error { _, err := s.Propose(ctx, r); return err },
		"reject":  func(r revision.Revision) error { _, err := s.Reject(ctx, r); return err },
		"approve": func(r revision.Revision) error { _, err := s.Approve(ctx, r, later(3)); return err },
		"leave":   func(r revision.Revision) error { _, err := s.ProposeDeletion(ctx, r); return err },
		"stay":    func(r revision.Revision) error { _, err := s.UndoDeletion(ctx, r); return err },
		"delete":  func(r revision.Revision) error { return s.Delete(ctx, r, later(3)) },
	}
	for workspace, forbidden := range map[string]string{
		"draft":     "reject approve leave stay",
		"proposed":  "update propose leave stay",
		"published": "update propose reject approve stay delete",
		"main":      "update propose reject approve stay delete",
		"leaving":   "update propose reject approve leave",
	} {
		for _, rev := range list(t, s) {
			for op := range strings.FieldsSeq(forbidden) {
				if rev.Workspace != workspace {
					continue
				}
				unchanged(t, op+" a revision that is "+string(rev.Lifecycle), dir, func() {
					var refused *revision.RefusedError
					if err := ops[op](rev); !errors.As(err, &refused) {
						t.Errorf("%s of %s: got %v, want a RefusedError", op, workspace, err)
					}
				})
			}
		}
	}
	unchanged(t, "an update without Kptfile", dir, func() {
		for _, rev := range list(t, s) {
			if _, err := s.UpdateDraft(ctx, rev, revision.Update{Content: content(t, map[string]string{"a": ""})}); err == nil {
				t.Errorf("%s lost its Kptfile", rev.Name)
			}
		}
	})
}

func TestForeign(t *testing.T) {
	for name, tc := range map[string]struct {
		reason    string
		interfere func(t *testing.T, dir string, s *revision.Store, rev revision.Revision)
		owner     revision.Owner
		foreign   bool
	}{
		"own": {reason: "updates for the same owner are not foreign", owner: owner, interfere: func(t *testing.T, _ string, s *revision.Store, rev revision.Revision) {
			must(t)(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "x"), Owner: owner}))
		}},
		"through us": {reason: "an update without an owner is foreign", owner: owner, foreign: true, interfere: func(t *testing.T, _ string, s *revision.Store, rev revision.Revision) {
			must(t)(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "x")}))
		}},
		"by hand": {reason: "a commit of a user is foreign", owner: owner, foreign: true, interfere: func(t *testing.T, dir string, _ *revision.Store, rev revision.Revision) {
			gittest.Commit(t, dir, gittest.Change{Branch: strings.TrimPrefix(rev.Ref, "refs/heads/"), Files: gittest.Files(map[string]string{rev.Path + "/new": ""})})
		}},
		"copied": {reason: "a branch copied from a draft has no owner", interfere: func(t *testing.T, dir string, _ *revision.Store, rev revision.Revision) {
			gittest.Git(t, dir, "branch", "drafts/net/upf/copy", rev.Commit.String()) // sorts first
		}},
		"another's": {reason: "a draft with commits for two owners is foreign", owner: revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "other"}, foreign: true, interfere: func(t *testing.T, _ string, s *revision.Store, rev revision.Revision) {
			must(t)(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "x"), Owner: revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "other"}}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, revision.Config{})
			rev := must(t)(s.CreateDraft(ctx, cloneRequest(t)))
			tc.interfere(t, dir, s, rev)
			if err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			got := list(t, s)[0]
			if got.Owner != tc.owner || got.Foreign != tc.foreign || (got.Task == nil) != (tc.owner == revision.Owner{}) {
				t.Errorf("%s: got owner %q, foreign %v, task %v", tc.reason, got.Owner, got.Foreign, got.Task)
			}
			checkLaws(t, dir, s, revision.Config{})
		})
	}
}

func TestStaleUpdate(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	rev := must(t)(s.CreateDraft(ctx, cloneRequest(t)))
	must(t)(s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "first")}))
	unchanged(t, "an update of a draft that moved on", dir, func() {
		for _, f := range []func() error{
			func() error {
				_, err := s.UpdateDraft(ctx, rev, revision.Update{Content: pkg(t, "second")})
				return err
			},
			func() error { _, err := s.Propose(ctx, rev); return err },
			func() error { return s.Delete(ctx, rev, later(3)) },
		} {
			if err := f(); !isStale(err) {
				t.Errorf("got %v, want a StaleError", err)
			}
		}
	})
}
