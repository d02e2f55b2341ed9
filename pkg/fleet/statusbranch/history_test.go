package statusbranch_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// history makes passes with a change before each, and says how many commits there are after each.
func (w *testRepo) history(passes int) (commits []int, grown bool) {
	w.Helper()
	for i := range passes {
		w.report("edge1", "web", i)
		grown = w.pass().OverLimit || grown
		commits = append(commits, len(w.commits()))
	}
	return commits, grown
}

// TestHistory bounds how many commits there are, and what they weigh.
func TestHistory(t *testing.T) {
	testenv.Need(t, testenv.Git)
	for name, c := range map[string]struct {
		reason string
		before func(w *testRepo)
		weight int64
		want   []int // commits after each pass
		grown  bool
	}{
		"ours":         {"the fourth commit is a first one", func(*testRepo) {}, 0, []int{1, 2, 3, 1, 2, 3, 1}, false},
		"others', too": {"what another client committed stays", (*testRepo).commitOnBranch, 0, []int{2, 3, 4, 5, 6, 7, 8}, true},
		"no new start": {"the server takes none", func(w *testRepo) { gittest.Config(w, w.dir, "receive.denyNonFastForwards=true") }, 0, []int{1, 2, 3, 4, 5, 6, 7}, true},
		"heavy":        {"two commits are all that it may hold", func(*testRepo) {}, 1450, []int{1, 2, 1, 2, 1, 2, 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestRepo(t, fleet)
			c.before(w)
			w.options.MaxCommits, w.options.MaxBytes = 3, c.weight
			w.restart()
			got, grown := w.history(len(c.want))
			if diff := cmp.Diff(c.want, got); diff != "" || grown != c.grown {
				t.Errorf("%s: grown %v, %s", c.reason, grown, diff)
			}
			files := w.files()
			delete(files, "notes.md")
			if diff := cmp.Diff(w.fromFunction(), files); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (w *testRepo) commitOnBranch() {
	gittest.Commit(w, w.dir, gittest.Change{Branch: "status", Files: gittest.Files(map[string]string{"notes.md": "seen\n"})})
}

// TestMaintenance has a server refuse all pushes when the branch should restart: that says nothing about a
// restart later.
func TestMaintenance(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.options.MaxCommits = 2
	w.restart()
	w.history(2)
	gittest.Hook(t, w.dir, "pre-receive", "exit 1\n")
	w.report("edge1", "web", 7)
	before := w.reopened
	for range 3 {
		if _, err := w.publisher.Publish(t.Context()); err == nil {
			t.Fatal("want an error")
		}
	}
	if got := w.reopened - before; got != 1 {
		t.Errorf("opened anew %d times", got)
	}
	gittest.Hook(t, w.dir, "pre-receive", "exit 0\n")
	got, _ := w.history(3)
	if diff := cmp.Diff([]int{1, 2, 1}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRemarks has warnings come and go, although no result changes: they are committed, too.
func TestRemarks(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	source := reports.Source{Kind: reports.ManifestWork, Namespace: "edge1", Name: "w"}
	work := func(values ...any) map[string]any {
		return map[string]any{
			"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": map[string]any{"namespace": "edge1", "name": "w"},
			"status": map[string]any{"resourceStatus": map[string]any{"manifests": []any{map[string]any{
				"resourceMeta":   map[string]any{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"},
				"statusFeedback": map[string]any{"values": values},
			}}}},
		}
	}
	good := map[string]any{"name": "readyReplicas", "fieldValue": map[string]any{"type": "Integer", "integer": float64(2)}}
	odd := map[string]any{"name": "x", "fieldValue": map[string]any{"type": "JsonRaw", "jsonRaw": "{bad"}}
	w.put(source, work(good))
	w.pass()
	clean := w.files()
	w.put(source, work(good, odd))
	w.pass()
	if got := w.files()["fleet/status/_results.yaml"]; !strings.Contains(got, "JsonRaw") {
		t.Errorf("the file says %q", got)
	}
	if got := w.commits()[0]; got != "combine-status: _results.yaml" {
		t.Errorf("the commit says %q", got)
	}
	w.put(source, work(good))
	w.pass()
	if diff := cmp.Diff(clean, w.files()); diff != "" {
		t.Error(diff)
	}
}

// TestOddFiles of others lie in the folder: a program, a link, and a name that no package can have.
func TestOddFiles(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.pass()
	dir := t.TempDir()
	git := func(args ...string) string { return gittest.Git(t, dir, args...) }
	git("clone", "-q", "-b", "status", w.dir, ".")
	blob := gittest.Git(t, dir, "rev-parse", "HEAD:fleet/status/shop/shop/deployment_web.yaml")
	for at, mode := range map[string]string{"tool.sh": "100755", "latest": "120000", "back\\slash": "100644"} {
		git("update-index", "--add", "--cacheinfo", mode+","+blob+",fleet/status/"+at)
	}
	git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "odd")
	git("push", "-q", "origin", "HEAD:status")
	odd := func() map[string]string {
		out := map[string]string{}
		for line := range strings.SplitSeq(gittest.Git(t, w.dir, "ls-tree", "status:fleet/status"), "\n") {
			if mode, name, found := strings.Cut(line, "\t"); found && name != "shop" {
				out[name] = mode
			}
		}
		return out
	}
	before := odd()
	w.report("edge1", "web", 2)
	if w.pass().Commit.IsZero() || len(before) != 3 {
		t.Fatalf("nothing was committed over %v", before)
	}
	if diff := cmp.Diff(before, maps.Clone(odd())); diff != "" {
		t.Error(diff)
	}
}
