package revision_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// lossRepo is a repository with web/v1 published.
type lossRepo struct {
	*testing.T
	dir string
	s   *revision.Store
}

// commitToMain commits to the main branch as a user of git does.
func (w *lossRepo) commitToMain(message string, files map[string]*string) {
	w.Helper()
	gittest.Commit(w, w.dir, gittest.Change{Message: message + "\n\nmore\n", Files: files})
	if err := w.s.Refresh(ctx); err != nil {
		w.Fatal(err)
	}
}

// edit proposes a draft that continues web/v1, with another Kptfile and more files.
func (w *lossRepo) edit(workspace string, more map[string]string) revision.Revision {
	w.Helper()
	files := map[string]string{"Kptfile": "# " + workspace + "\n", "conf/a.yaml": "a: 1\n"}
	for p, text := range more {
		files[p] = text
	}
	req := revision.DraftRequest{Package: "web", Workspace: workspace, Content: content(w, files), Stamp: later(3),
		Task: porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.web.first"}}}}
	return must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, req))))
}

// merge merges a commit into a proposal without a change to its files.
func (w *lossRepo) merge(rev revision.Revision, commit string) revision.Revision {
	w.Helper()
	id := gittest.Git(w, w.dir, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", rev.Ref, "-p", commit, "-m", "m", rev.Ref+"^{tree}")
	gittest.Git(w, w.dir, "update-ref", rev.Ref, id)
	if err := w.s.Refresh(ctx); err != nil {
		w.Fatal(err)
	}
	return byWorkspace(w, w.s)[rev.Workspace]
}

// describe formats each loss as a line.
func describe(losses []revision.Loss) (lines []string) {
	for _, l := range losses {
		line := l.Path
		if l.Mode {
			line = "mode of " + line
		}
		if l.Deleted {
			line += " (deleted)"
		}
		lines = append(lines, line+" by "+l.Author+": "+l.Subject)
	}
	return lines
}

// lossCase is what to approve, and the losses.
type lossCase struct {
	reason string
	do     func(w *lossRepo) []revision.Revision
	want   []string
}

// TestLosses approves drafts that would undo the work of others, and drafts that would not. A refused approval moves no ref;
// an approval in spite of losses does what Porch does.
func TestLosses(t *testing.T) {
	note := gittest.Files(map[string]string{"web/notes.txt": "mind the step\n"})
	checkLosses(t, map[string]lossCase{
		"calm": {"no other change", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("beside", gittest.Files(map[string]string{"webs/notes.txt": "x"}))
			return []revision.Revision{rev}
		}, nil},
		"after": {"a user added a file after the draft began", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("Mind the step", note)
			w.commitToMain("beside", gittest.Files(map[string]string{"beside": "x"}))
			return []revision.Revision{rev}
		}, []string{"web/notes.txt by seed@example.com: Mind the step"}},
		"before": {"a user added a file before the draft began: the draft continues the published revision", func(w *lossRepo) []revision.Revision {
			w.commitToMain("Mind the step", note)
			return []revision.Revision{w.edit("two", nil)}
		}, []string{"web/notes.txt by seed@example.com: Mind the step"}},
		"changed and deleted": {"changes and deletions count, each with its newest commit", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("Tidy", map[string]*string{"web/conf/a.yaml": nil})
			w.commitToMain("Old", gittest.Files(map[string]string{"web/Kptfile": "# old\n"}))
			w.commitToMain("New", gittest.Files(map[string]string{"web/Kptfile": "# new\n"}))
			return []revision.Revision{rev}
		}, []string{"web/Kptfile by seed@example.com: New", "web/conf/a.yaml (deleted) by seed@example.com: Tidy"}},
		"taken in": {"a change that the draft has, too, is not lost", func(w *lossRepo) []revision.Revision {
			w.commitToMain("Mind the step", note)
			return []revision.Revision{w.edit("two", map[string]string{"notes.txt": "mind the step\n"})}
		}, nil},
		"taken back": {"a change that was reverted is not lost", func(w *lossRepo) []revision.Revision {
			w.commitToMain("Mind the step", note)
			w.commitToMain("Never mind", map[string]*string{"web/notes.txt": nil})
			return []revision.Revision{w.edit("two", nil)}
		}, nil},
		"merged": {"a user who merges main has seen the change", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("Mind the step", note)
			return []revision.Revision{w.merge(rev, "main")}
		}, nil},
		"published": {"another draft was published meanwhile", func(w *lossRepo) []revision.Revision {
			rev, other := w.edit("two", nil), w.edit("three", map[string]string{"more.yaml": "b: 1\n"})
			must(w)(w.s.Approve(ctx, other, later(4)))
			return []revision.Revision{rev}
		}, []string{"web/Kptfile by porch@kpt.dev: Approving package revision web/2", "web/more.yaml by porch@kpt.dev: Approving package revision web/2"}},
		"just before": {"the same push publishes another draft", func(w *lossRepo) []revision.Revision {
			return []revision.Revision{w.edit("two", nil), w.edit("three", nil)}
		}, []string{"web/Kptfile by : the approval of workspace two just before"}},
		"source is gone": {"if the revision that it continues is deleted, the fork point counts", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("Mind the step", note)
			gittest.Git(w, w.dir, "tag", "-d", "web/v1")
			if err := w.s.Refresh(ctx); err != nil {
				w.Fatal(err)
			}
			return []revision.Revision{rev}
		}, []string{"web/notes.txt by seed@example.com: Mind the step"}},
		"new": {"a package that was not there when the draft began", func(w *lossRepo) []revision.Revision {
			rev := must(w)(w.s.Propose(ctx, must(w)(w.s.CreateDraft(ctx, cloneRequest(w)))))
			w.commitToMain("Begin", gittest.Files(map[string]string{"net/upf/Kptfile": "# mine\n"}))
			return []revision.Revision{rev}
		}, []string{"net/upf/Kptfile by seed@example.com: Begin"}},
		"gone": {"a package that was deleted from main comes back", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			w.commitToMain("Tidy", map[string]*string{"web/Kptfile": nil, "web/conf/a.yaml": nil})
			return []revision.Revision{rev}
		}, []string{"web (deleted) by seed@example.com: Tidy"}},
		"gone before": {"a package that was deleted before the draft began is no loss", func(w *lossRepo) []revision.Revision {
			w.commitToMain("Tidy", map[string]*string{"web/Kptfile": nil, "web/conf/a.yaml": nil})
			return []revision.Revision{w.edit("two", nil)}
		}, nil},
		"merged too late": {"a merge covers only what came to main after the draft began", func(w *lossRepo) []revision.Revision {
			w.commitToMain("Mind the step", note)
			rev := w.edit("two", nil)
			w.commitToMain("beside", gittest.Files(map[string]string{"beside": "x"}))
			return []revision.Revision{w.merge(rev, "main")}
		}, []string{"web/notes.txt by seed@example.com: Mind the step"}},
		"topic merged": {"a merge of a branch that forked earlier covers nothing", func(w *lossRepo) []revision.Revision {
			w.commitToMain("beside", gittest.Files(map[string]string{"beside": "x"}))
			rev := w.edit("two", nil)
			w.commitToMain("Mind the step", note)
			return []revision.Revision{w.merge(rev, "main~2")}
		}, []string{"web/notes.txt by seed@example.com: Mind the step"}},
		"brought in": {"a draft with the same lines has the change", func(w *lossRepo) []revision.Revision {
			w.commitToMain("More", gittest.Files(map[string]string{"web/conf/a.yaml": "a: 2\nb: 1\n"}))
			return []revision.Revision{w.edit("two", map[string]string{"conf/a.yaml": "# ours\na: 2\nb: 1\n"})}
		}, nil},
		"brought in by half": {"a draft with some of the lines does not have the change", func(w *lossRepo) []revision.Revision {
			w.commitToMain("More", gittest.Files(map[string]string{"web/conf/a.yaml": "a: 2\nb: 1\n"}))
			return []revision.Revision{w.edit("two", map[string]string{"conf/a.yaml": "# ours\na: 1\nb: 1\n"})}
		}, []string{"web/conf/a.yaml by seed@example.com: More"}},
		"withdrawn": {"the changes of a deleted revision are no loss", func(w *lossRepo) []revision.Revision {
			other := must(w)(w.s.Approve(ctx, w.edit("three", map[string]string{"more.yaml": "b: 1\n"}), later(4)))
			if err := w.s.Delete(ctx, must(w)(w.s.ProposeDeletion(ctx, other)), later(5)); err != nil {
				w.Fatal(err)
			}
			return []revision.Revision{w.edit("two", nil)}
		}, nil},
		"link": {"if main holds a file that no package can hold, the package is lost as a whole", func(w *lossRepo) []revision.Revision {
			rev := w.edit("two", nil)
			link(w, w.dir, "web/link")
			w.commitToMain("beside", gittest.Files(map[string]string{"beside": "x"}))
			return []revision.Revision{rev}
		}, []string{"web by e@example.com: A link"}},
	})
}

func checkLosses(t *testing.T, cases map[string]lossCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, revision.Config{})
			w := &lossRepo{t, dir, s}
			first := initDraft(t, "web", "first")
			publish(t, s, first)
			var told []string
			declined := errors.New("declined")
			changes := func(answer error) (out []revision.Change) {
				for _, rev := range tc.do(w) {
					out = append(out, revision.Change{Op: revision.OpApprove, Revision: rev,
						OnLoss: func(l []revision.Loss) error { told = append(told, describe(l)...); return answer }})
				}
				return out
			}(declined)
			before := gittest.Refs(t, dir)
			_, err := s.ChangeAll(ctx, changes, later(9))
			if diff := cmp.Diff(tc.want, told); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if errors.Is(err, declined) != (len(tc.want) > 0) || err != nil && !errors.Is(err, declined) {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if moved := before != gittest.Refs(t, dir); moved != (len(tc.want) == 0) {
				t.Errorf("%s: refs moved: %v", tc.reason, moved)
			}
			if len(tc.want) > 0 {
				w.approveAnyway(changes)
			}
			checkLaws(t, dir, s, revision.Config{})
		})
	}
}

// approveAnyway approves in spite of the losses: the draft is published, and the work of others stays in the
// history.
func (w *lossRepo) approveAnyway(changes []revision.Change) {
	w.Helper()
	main := gittest.Git(w, w.dir, "rev-parse", "main")
	for i := range changes {
		changes[i].OnLoss = func([]revision.Loss) error { return nil }
	}
	got, err := w.s.ChangeAll(ctx, changes, later(9))
	if err != nil {
		w.Fatal(err)
	}
	last := changes[len(changes)-1].Revision
	at := ":" + last.Path
	if is, want := gittest.Git(w, w.dir, "rev-parse", "main"+at), gittest.Git(w, w.dir, "rev-parse", last.Commit.String()+at); is != want || len(got) != len(changes) {
		w.Errorf("main holds %s, the draft %s", is, want)
	}
	gittest.Git(w, w.dir, "merge-base", "--is-ancestor", main, "main") // or fails
}

// link commits a symbolic link to main.
func link(t testing.TB, dir, at string) {
	t.Helper()
	here := "--work-tree=" + t.TempDir()
	gittest.Git(t, dir, here, "read-tree", "main")
	gittest.Git(t, dir, here, "update-index", "--add", "--cacheinfo", "120000,"+gittest.Git(t, dir, "rev-parse", "main:README.md")+","+at)
	id := gittest.Git(t, dir, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", "main", "-m", "A link", gittest.Git(t, dir, "write-tree"))
	gittest.Git(t, dir, "update-ref", "refs/heads/main", id)
}

// TestLossesReportedAgain commits to the package between the check and the push.
func TestLossesReportedAgain(t *testing.T) {
	dir, plain := newRepo(t, revision.Config{})
	w := &lossRepo{t, dir, plain}
	publish(t, plain, initDraft(t, "web", "first"))
	rev := w.edit("two", nil)
	moved := false
	s := openStore(t, gittest.NewHTTP(t, dir, gittest.BeforeReceive(func() {
		if !moved {
			moved = true
			gittest.Commit(t, dir, gittest.Change{Message: "Just now\n", Files: gittest.Files(map[string]string{"web/notes.txt": "x"})})
		}
	})), revision.Config{})
	var told []string
	_, err := s.ChangeAll(ctx, []revision.Change{{Op: revision.OpApprove, Revision: rev,
		OnLoss: func(l []revision.Loss) error { told = describe(l); return errors.New("declined") }}}, later(9))
	if err == nil || !strings.Contains(err.Error(), `approve of package "web", workspace "two": declined`) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{"web/notes.txt by seed@example.com: Just now"}, told); diff != "" {
		t.Errorf("the last reported losses (-want +got):\n%s", diff)
	}
}
