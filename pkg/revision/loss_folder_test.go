package revision_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// clone proposes a clone.
func (w *lossWorld) clone() revision.Revision {
	w.Helper()
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, cloneRequest(w)))))
}

// over proposes a draft of a package whose folder on main holds files and no package.
func (w *lossWorld) over() revision.Revision {
	w.Helper()
	w.byHand("Mine", gittest.Files(map[string]string{"net/upf/mine.yaml": "mine: 1\n", "net/upf/deep/b.yaml": "b: 1\n"}))
	req := cloneRequest(w)
	req.Task = porch.Task{Type: porch.TaskInit}
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, req))))
}

// rewrite makes a proposal one commit on what its own was on, of the same files and these, as somebody with git does.
func (w *lossWorld) rewrite(rev revision.Revision, more map[string]string, message string) revision.Revision {
	w.Helper()
	gittest.Git(w, w.dir, "update-ref", rev.Ref, gittest.Git(w, w.dir, "-c", "user.name=E", "-c", "user.email=e@example.com",
		"commit-tree", "-p", rev.Ref+"^", "-m", message, rev.Ref+"^{tree}"))
	files := map[string]string{}
	for p, text := range more {
		files[rev.Path+"/"+p] = text
	}
	if len(files) > 0 {
		gittest.Commit(w, w.dir, gittest.Change{Branch: strings.TrimPrefix(rev.Ref, "refs/heads/"), Message: message, Files: gittest.Files(files)})
	}
	return w.again(rev)
}

// rebase puts a proposal's commit, as it is, on main as it is now.
func (w *lossWorld) rebase(rev revision.Revision) revision.Revision {
	w.Helper()
	here := "--work-tree=" + w.TempDir()
	gittest.Git(w, w.dir, here, "read-tree", "main")
	gittest.Git(w, w.dir, here, "rm", "-r", "-q", "--cached", rev.Path)
	gittest.Git(w, w.dir, here, "read-tree", "--prefix="+rev.Path, rev.Ref+":"+rev.Path)
	gittest.Git(w, w.dir, "update-ref", rev.Ref, gittest.Git(w, w.dir, "-c", "user.name=E", "-c", "user.email=e@example.com",
		"commit-tree", "-p", "main", "-m", gittest.Git(w, w.dir, "show", "-s", "--format=%B", rev.Ref), gittest.Git(w, w.dir, "write-tree")))
	return w.again(rev)
}

// again is a revision as its branch is now.
func (w *lossWorld) again(rev revision.Revision) revision.Revision {
	w.Helper()
	if err := w.s.Refresh(ctx); err != nil {
		w.Fatal(err)
	}
	return byWorkspace(w, w.s)[rev.Workspace]
}

// TestLossesOfFolders approves drafts that do not begin with what the main branch holds in their place.
func TestLossesOfFolders(t *testing.T) {
	checkLosses(t, map[string]lossCase{
		"folder": {"a folder that was no package when the draft began: a clone does not come from it", func(w *lossWorld) []revision.Revision {
			return []revision.Revision{w.over()}
		}, []string{"net/upf/deep/b.yaml by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
		"folder of a person's draft": {"nor does a draft whose commits say nothing", func(w *lossWorld) []revision.Revision {
			rev := w.over()
			return []revision.Revision{w.rewrite(rev, nil, "A draft")}
		}, []string{"net/upf/deep/b.yaml by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
		"folder taken in": {"a draft with the files in it loses nothing", func(w *lossWorld) []revision.Revision {
			rev := w.over()
			return []revision.Revision{w.rewrite(rev, map[string]string{"deep/b.yaml": "b: 1\n", "mine.yaml": "# and\nmine: 1\n"}, "With them")}
		}, nil},
		"clone over a package": {"a clone does not come from a package of main either", func(w *lossWorld) []revision.Revision {
			rev := w.clone()
			w.byHand("Mine", gittest.Files(map[string]string{"net/upf/Kptfile": "# mine\n", "net/upf/mine.yaml": "mine: 1\n"}))
			return []revision.Revision{w.rebase(rev)}
		}, []string{"net/upf/Kptfile by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
	})
}
