package revision_test

import (
	stdcmp "cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

var ctx = context.Background()

// later is a time so many minutes after the first commit.
func later(minutes int) revision.Stamp {
	return revision.Stamp{When: gittest.Epoch.Add(time.Duration(minutes) * time.Minute)}
}

func content(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	bytes := map[string][]byte{}
	for p, s := range files {
		bytes[p] = []byte(s)
	}
	out, err := pkgtree.New(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pkg is a small package whose content depends on text.
func pkg(t testing.TB, text string) pkgtree.Tree {
	t.Helper()
	return content(t, map[string]string{"Kptfile": "# " + text + "\n", "conf/a.yaml": "a: 1\n"})
}

func text(tree pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tree.All() {
		out[p] = string(b.Data())
	}
	return out
}

func openStore(t testing.TB, url string, cfg revision.Config) *revision.Store {
	t.Helper()
	repo, err := gitrepo.Open(ctx, url, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Name == "" {
		cfg.Name = "edge"
	}
	cfg.Wait = func(context.Context, time.Duration) error { return nil }
	s, err := revision.New(repo, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newRepo is a repository with a main branch, and a Store over it.
func newRepo(t testing.TB, cfg revision.Config) (dir string, s *revision.Store) {
	t.Helper()
	dir = gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "hello\n"})})
	return dir, openStore(t, dir, cfg)
}

func list(t testing.TB, s *revision.Store) []revision.Revision {
	t.Helper()
	revs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	return revs
}

// brief shows revisions as "package workspace revision lifecycle", with a star for the latest.
func brief(revs []revision.Revision) []string {
	var out []string
	for _, r := range revs {
		s := strings.Join([]string{r.Package, r.Workspace, strconv.Itoa(r.Revision), string(r.Lifecycle)}, " ")
		if r.Latest {
			s += " *"
		}
		out = append(out, s)
	}
	return out
}

// checkLaws checks what must hold after any change to the repository in dir through s: Git finds no fault
// in it, and s lists what a new store lists.
func checkLaws(t testing.TB, dir string, s *revision.Store, cfg revision.Config) {
	t.Helper()
	gittest.Fsck(t, dir)
	if diff := cmp.Diff(list(t, openStore(t, dir, cfg)), list(t, s)); diff != "" {
		t.Errorf("the store does not list what a new store lists (-new +store):\n%s", diff)
	}
	if diff := cmp.Diff(list(t, s), list(t, s)); diff != "" {
		t.Errorf("listing twice gives different results:\n%s", diff)
	}
	checkGuess(t, dir, list(t, s), cfg)
}

// checkGuess wants every listed revision that has a ref of its own to be guessed from the refs alone.
func checkGuess(t testing.TB, dir string, listed []revision.Revision, cfg revision.Config) {
	t.Helper()
	refs, err := snapshot.Refs(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Name = stdcmp.Or(cfg.Name, "edge")
	guessed, err := revision.Guess(cfg, refs)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for i, text := range brief(guessed) {
		known[guessed[i].Ref] = guessed[i].Name + " " + text
	}
	for _, r := range listed {
		r.Latest = false
		if want := r.Name + " " + brief([]revision.Revision{r})[0]; r.Ref != "refs/heads/"+stdcmp.Or(cfg.Branch, "main") && known[r.Ref] != want {
			t.Errorf("of %s it is guessed that it is %q, but it is %q", r.Ref, known[r.Ref], want)
		}
	}
}

// unchanged runs f and fails unless every ref of dir is then where it was.
func unchanged(t testing.TB, reason, dir string, f func()) {
	t.Helper()
	before := gittest.Refs(t, dir)
	f()
	if diff := cmp.Diff(before, gittest.Refs(t, dir)); diff != "" {
		t.Errorf("%s: refs moved (-before +after):\n%s", reason, diff)
	}
	gittest.Fsck(t, dir)
}

// must is for the steps that prepare a test.
func must(t testing.TB) func(revision.Revision, error) revision.Revision {
	return func(rev revision.Revision, err error) revision.Revision {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return rev
	}
}

func initDraft(t testing.TB, name, workspace string) revision.DraftRequest {
	t.Helper()
	return revision.DraftRequest{Package: name, Workspace: workspace, Task: porch.Task{Type: porch.TaskInit, Init: &porch.InitTask{}}, Content: pkg(t, name+" "+workspace), Stamp: later(1)}
}

// publish creates, proposes and approves a draft.
func publish(t testing.TB, s *revision.Store, req revision.DraftRequest) revision.Revision {
	t.Helper()
	ok := must(t)
	rev := ok(s.CreateDraft(ctx, req))
	return ok(s.Approve(ctx, ok(s.Propose(ctx, rev)), later(2)))
}

func isStale(err error) bool {
	var stale *gitrepo.StaleError
	return errors.As(err, &stale)
}

func TestNew(t *testing.T) {
	repo, err := gitrepo.Open(ctx, gittest.NewBare(t), gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason string
		cfg    revision.Config
		err    string
	}{
		"plain":     {reason: "a name is enough", cfg: revision.Config{Name: "edge"}},
		"directory": {reason: "slashes around the directory are removed", cfg: revision.Config{Name: "edge", Directory: "/a/b/"}},
		"bad name":  {reason: "the name is a DNS label", cfg: revision.Config{Name: "Edge"}, err: `repository name "Edge"`},
		"git":       {reason: "packages cannot be in .git", cfg: revision.Config{Name: "edge", Directory: "a/.git"}, err: "directory: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := revision.New(repo, tc.cfg)
			if got := err != nil; got != (tc.err != "") || got && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: got error %v, want %q", tc.reason, err, tc.err)
			}
		})
	}
}
