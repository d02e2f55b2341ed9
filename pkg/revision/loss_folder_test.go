package revision_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// clone proposes a clone.
func (w *lossRepo) clone() revision.Revision {
	w.Helper()
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, cloneRequest(w)))))
}

// over proposes a draft of a package whose folder on main holds files and no package.
func (w *lossRepo) over() revision.Revision {
	w.Helper()
	w.commitToMain("Mine", gittest.Files(map[string]string{"net/upf/mine.yaml": "mine: 1\n", "net/upf/deep/b.yaml": "b: 1\n"}))
	req := cloneRequest(w)
	req.Task = porch.Task{Type: porch.TaskInit}
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, req))))
}

// rewrite replaces the commit of a proposal by one with the same parent, the same files and more, as a user of git does.
func (w *lossRepo) rewrite(rev revision.Revision, more map[string]string, message string) revision.Revision {
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

// rebase rebases a proposal's commit onto the current main.
func (w *lossRepo) rebase(rev revision.Revision) revision.Revision {
	w.Helper()
	here := "--work-tree=" + w.TempDir()
	gittest.Git(w, w.dir, here, "read-tree", "main")
	gittest.Git(w, w.dir, here, "rm", "-r", "-q", "--cached", rev.Path)
	gittest.Git(w, w.dir, here, "read-tree", "--prefix="+rev.Path, rev.Ref+":"+rev.Path)
	gittest.Git(w, w.dir, "update-ref", rev.Ref, gittest.Git(w, w.dir, "-c", "user.name=E", "-c", "user.email=e@example.com",
		"commit-tree", "-p", "main", "-m", gittest.Git(w, w.dir, "show", "-s", "--format=%B", rev.Ref), gittest.Git(w, w.dir, "write-tree")))
	return w.again(rev)
}

// again is the revision at the current head of its branch.
func (w *lossRepo) again(rev revision.Revision) revision.Revision {
	w.Helper()
	if err := w.s.Refresh(ctx); err != nil {
		w.Fatal(err)
	}
	return byWorkspace(w, w.s)[rev.Workspace]
}

// TestLossesOfFolders approves drafts that do not come from the files on the main branch in their place.
func TestLossesOfFolders(t *testing.T) {
	checkLosses(t, map[string]lossCase{
		"folder": {"a folder that was no package when the draft began: a clone does not come from it", func(w *lossRepo) []revision.Revision {
			return []revision.Revision{w.over()}
		}, []string{"net/upf/deep/b.yaml by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
		"folder of a person's draft": {"a draft whose commits have no annotation does not come from it either", func(w *lossRepo) []revision.Revision {
			rev := w.over()
			return []revision.Revision{w.rewrite(rev, nil, "A draft")}
		}, []string{"net/upf/deep/b.yaml by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
		"folder copied": {"a draft with the files in it loses nothing", func(w *lossRepo) []revision.Revision {
			rev := w.over()
			return []revision.Revision{w.rewrite(rev, map[string]string{"deep/b.yaml": "b: 1\n", "mine.yaml": "# and\nmine: 1\n"}, "With them")}
		}, nil},
		"clone over a package": {"a clone does not come from a package on main", func(w *lossRepo) []revision.Revision {
			rev := w.clone()
			w.commitToMain("Mine", gittest.Files(map[string]string{"net/upf/Kptfile": "# mine\n", "net/upf/mine.yaml": "mine: 1\n"}))
			return []revision.Revision{w.rebase(rev)}
		}, []string{"net/upf/Kptfile by seed@example.com: Mine", "net/upf/mine.yaml by seed@example.com: Mine"}},
	})
}
