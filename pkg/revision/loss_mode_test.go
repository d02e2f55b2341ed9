package revision_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// continued proposes a draft that continues a published revision.
func (w *lossRepo) continued(source, workspace string) revision.Revision {
	w.Helper()
	req := revision.DraftRequest{Package: "web", Workspace: workspace, Content: content(w, map[string]string{"Kptfile": "# " + workspace + "\n", "conf/a.yaml": "a: 1\n"}), Stamp: later(5),
		Task: porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: source}}}}
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, req))))
}

// chmod commits another mode of a file to a branch.
func (w *lossRepo) chmod(branch, mode, at string) {
	w.Helper()
	here := "--work-tree=" + w.TempDir()
	gittest.Git(w, w.dir, here, "read-tree", branch)
	gittest.Git(w, w.dir, here, "update-index", "--add", "--cacheinfo", mode+","+gittest.Git(w, w.dir, "rev-parse", branch+":"+at)+","+at)
	id := gittest.Git(w, w.dir, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", branch, "-m", "A mode", gittest.Git(w, w.dir, "write-tree"))
	gittest.Git(w, w.dir, "update-ref", "refs/heads/"+strings.TrimPrefix(branch, "refs/heads/"), id)
	if err := w.s.Refresh(ctx); err != nil {
		w.Fatal(err)
	}
}

// TestLossesOfModes approves drafts of files that are executable on the main branch, or in the draft.
func TestLossesOfModes(t *testing.T) {
	checkLosses(t, map[string]lossCase{
		"mode": {"a mode is a change, too", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.chmod("main", "100755", "web/conf/a.yaml")
			return []revision.Revision{rev}
		}, []string{"mode of web/conf/a.yaml by e@example.com: A mode"}},
		"mode and lines": {"a draft with the lines but not the mode loses the mode", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", map[string]string{"conf/a.yaml": "a: 1\nb: 1\nc: 1\n"})
			w.commitToMain("More", gittest.Files(map[string]string{"web/conf/a.yaml": "a: 1\nb: 1\n"}))
			w.chmod("main", "100755", "web/conf/a.yaml")
			return []revision.Revision{rev}
		}, []string{"mode of web/conf/a.yaml by e@example.com: A mode"}},
		"mode kept": {"a draft that has the mode may change the content", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", map[string]string{"conf/a.yaml": "a: 2\n"})
			w.chmod("main", "100755", "web/conf/a.yaml")
			w.chmod(rev.Ref, "100755", "web/conf/a.yaml")
			return []revision.Revision{w.again(rev)}
		}, nil},
		"mode before": {"a draft that begins later keeps the mode", func(w *lossRepo) []revision.Revision {
			w.chmod("main", "100755", "web/conf/a.yaml")
			return []revision.Revision{w.edit("two", map[string]string{"conf/a.yaml": "a: 2\n"})}
		}, nil},
		"mode dropped by the draft": {"a draft may change a mode that main did not change", func(w *lossRepo) []revision.Revision {
			w.chmod("main", "100755", "web/conf/a.yaml")
			must(w)(w.s.Approve(ctx, w.edit("two", nil), later(4)))
			rev := w.continued("edge.web.two", "three")
			w.chmod(rev.Ref, "100644", "web/conf/a.yaml")
			return []revision.Revision{w.again(rev)}
		}, nil},
	})
}

// TestModesAreKept puts an executable into a package: drafts and approvals keep its mode, on whichever branch it was set.
func TestModesAreKept(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	w := &lossRepo{t, dir, s}
	first := must(t)(s.CreateDraft(ctx, initDraft(t, "web", "first")))
	w.chmod(first.Ref, "100755", "web/conf/a.yaml")
	first, files := w.again(first), map[string]string{"Kptfile": "# 1\n", "conf/a.yaml": "a: 1\n", "conf/b.yaml": "b: 1\n"}
	check := func(reason, ref, want string) {
		t.Helper()
		if got := gittest.Git(t, dir, "ls-tree", "-r", "--format=%(objectmode) %(path)", ref, "web"); got != want {
			t.Errorf("%s: got\n%s, want\n%s", reason, got, want)
		}
	}
	now, err := s.Content(first)
	if err != nil {
		t.Fatal(err)
	}
	if same := must(t)(s.UpdateDraft(ctx, first, revision.Update{Content: now, Stamp: later(2)})); same.Commit != first.Commit {
		t.Error("an update with the same content made a commit because of the mode")
	}
	first = must(t)(s.UpdateDraft(ctx, first, revision.Update{Content: content(t, files), Stamp: later(2)}))
	check("an update of the draft", first.Ref, "100644 web/Kptfile\n100755 web/conf/a.yaml\n100644 web/conf/b.yaml")
	must(t)(s.Approve(ctx, must(t)(s.Propose(ctx, first)), later(3)))
	w.chmod("main", "100755", "web/conf/b.yaml")
	two := w.edit("two", map[string]string{"conf/b.yaml": "b: 2\n", "conf/c.yaml": "c: 1\n"})
	if _, err := s.ChangeAll(ctx, []revision.Change{{Op: revision.OpApprove, Revision: two, OnLoss: func(l []revision.Loss) error {
		t.Errorf("there are losses: %v", describe(l))
		return nil
	}}}, later(4)); err != nil {
		t.Fatal(err)
	}
	check("the next revision", "main", "100644 web/Kptfile\n100755 web/conf/a.yaml\n100755 web/conf/b.yaml\n100644 web/conf/c.yaml")
	checkLaws(t, dir, s, revision.Config{})
}
