package statusbranch_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestPublish is the life of a package: the branch holds what the function gives, byte for byte.
func TestPublish(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	change := func(files map[string]*string) func() {
		return func() { gittest.Commit(t, w.dir, gittest.Change{Files: files}) }
	}
	steps := []struct {
		name    string
		do      func()
		subject string // of the commit; none when it is ""
	}{
		{"no cluster reports", func() {}, "combine-status: 0 changed, 2 new, 0 gone"},
		{"nothing happens", func() {}, ""},
		{"a cluster reports", func() { w.report("edge1", "web", 2) }, "combine-status: 1 changed, 0 new, 0 gone"},
		{"it says so again", func() { w.report("edge1", "web", 2) }, ""},
		{"another cluster does, which is in no Binding", func() { w.report("edge9", "web", 2) }, ""},
		{"two report", func() { w.report("edge2", "web", 1); w.report("edge2", "api", 3) }, "combine-status: 2 changed, 0 new, 0 gone"},
		{"the controller starts anew", w.restart, ""},
		{"a collector changes", change(gittest.Files(map[string]string{"fleet/collectors.yaml": strings.Replace(collectorText, "SUM", "MAX", 1)})),
			"combine-status: 1 changed, 0 new, 0 gone"},
		{"another package changes", change(gittest.Files(map[string]string{"other/a.yaml": "a: 1\n"})), ""},
		{"one object is not asked about", change(gittest.Files(map[string]string{"fleet/bindings/shop.yaml": strings.Replace(bindingText, "name: api, statusCollectors: [ready]", "name: api", 1)})),
			"combine-status: 0 changed, 0 new, 1 gone"},
		{"a report goes", func() { w.report("edge1", "web", -1) }, "combine-status: 1 changed, 0 new, 0 gone"},
		{"nothing is asked about", change(gittest.Files(map[string]string{"fleet/bindings/shop.yaml": strings.ReplaceAll(bindingText, ", statusCollectors: [ready]", "")})),
			"combine-status: 0 changed, 0 new, 1 gone"},
	}
	for _, step := range steps {
		before := w.commits()
		step.do()
		w.pass()
		want := before
		if step.subject != "" {
			want = slices.Insert(slices.Clone(before), 0, step.subject)
		}
		if diff := cmp.Diff(want, w.commits()); diff != "" {
			t.Fatalf("%s: commits (-want +got):\n%s", step.name, diff)
		}
		got := w.files()
		delete(got, "fleet/status/_results.yaml") // here warnings go
		if diff := cmp.Diff(w.fromFunction(), got); diff != "" {
			t.Fatalf("%s: differs from the function (-function +branch):\n%s", step.name, diff)
		}
	}
	gittest.Fsck(t, w.dir)
}

// TestCommit is what a commit says.
func TestCommit(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.pass()
	want := "Waybill <controller@waybill.dev> 1\ncombine-status: 0 changed, 2 new, 0 gone\n\nWaybill-Status-Of: main@" +
		gittest.Git(t, w.dir, "rev-parse", "main") + " fleet"
	got := gittest.Git(t, w.dir, "log", "-1", "--format=%an <%ae> 1%n%B", "status")
	if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
		t.Error(diff)
	}
}

// TestFaults is what is wrong with a package: results stay, and the file says what it is.
func TestFaults(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.report("edge1", "web", 2)
	w.pass()
	good := w.files()
	gittest.Commit(t, w.dir, gittest.Change{Files: gittest.Files(map[string]string{"fleet/again.yaml": bindingText})})
	w.report("edge1", "web", 3)
	if out := w.pass(); !out.Failed || out.Commit.IsZero() {
		t.Fatalf("got %+v", out)
	}
	bad := w.files()
	said := bad["fleet/status/_results.yaml"]
	if !strings.Contains(said, "two Bindings have this name") || !strings.Contains(said, "exitCode: 1") {
		t.Errorf("the file says %q", said)
	}
	delete(bad, "fleet/status/_results.yaml")
	if diff := cmp.Diff(good, bad); diff != "" {
		t.Errorf("results changed:\n%s", diff)
	}
	gittest.Commit(t, w.dir, gittest.Change{Files: map[string]*string{"fleet/again.yaml": nil}})
	w.pass()
	if diff := cmp.Diff(w.fromFunction(), w.files()); diff != "" {
		t.Error(diff)
	}
}

// TestNoBinding is a package that has lost its only Binding: results stay.
func TestNoBinding(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.report("edge1", "web", 2)
	w.pass()
	good := w.files()
	gittest.Commit(t, w.dir, gittest.Change{Files: map[string]*string{"fleet/bindings/shop.yaml": nil}})
	if out := w.pass(); !out.Failed {
		t.Fatalf("got %+v", out)
	}
	now := w.files()
	if said := now["fleet/status/_results.yaml"]; !strings.Contains(said, "there is no Binding in the package") {
		t.Errorf("the file says %q", said)
	}
	delete(now, "fleet/status/_results.yaml")
	delete(good, "fleet/status/_results.yaml")
	if diff := cmp.Diff(good, now); diff != "" {
		t.Errorf("results changed:\n%s", diff)
	}
}

// TestErrors are what no pass can be made of; nothing is written then.
func TestErrors(t *testing.T) {
	testenv.Need(t, testenv.Git)
	for name, c := range map[string]struct {
		files   map[string]string
		options statusbranch.Options
		want    string
	}{
		"no branch":        {nil, statusbranch.Options{}, `has no branch, tag or commit "main"`},
		"no such package":  {fleet, statusbranch.Options{Package: "sleet"}, `package "sleet": commit`},
		"the main branch":  {fleet, statusbranch.Options{Branch: "main"}, `branch "main" is for packages`},
		"a draft's branch": {fleet, statusbranch.Options{Branch: "drafts/status"}, `branch "drafts/status" is for packages`},
		"not to be read":   {map[string]string{"fleet/a.yaml": "a: [\n"}, statusbranch.Options{Package: "fleet"}, `package "fleet"`},
		"another file":     {fleet, statusbranch.Options{Package: "fleet", Branch: "taken"}, "fleet/status/shop/shop/deployment_web.yaml exists"},
		"another folder":   {fleet, statusbranch.Options{Package: "fleet", Branch: "folder"}, "fleet/status"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestRepo(t, c.files)
			gittest.Commit(t, w.dir, gittest.Change{Branch: "taken", Files: gittest.Files(map[string]string{"fleet/status/shop/shop/deployment_web.yaml": "mine: 1\n"})})
			gittest.Commit(t, w.dir, gittest.Change{Branch: "folder", Files: gittest.Files(map[string]string{"fleet/status/shop": "mine: 1\n"})})
			before := gittest.Refs(t, w.dir)
			w.options = c.options
			w.restart()
			for range 2 {
				if _, err := w.publisher.Publish(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
			if diff := cmp.Diff(before, gittest.Refs(t, w.dir)); diff != "" {
				t.Errorf("refs changed:\n%s", diff)
			}
		})
	}
}

// TestOthers commit to the same branch, between our passes and in the middle of one.
func TestOthers(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	n := 0
	w.url = gittest.NewHTTP(t, w.dir, gittest.BeforeReceive(func() {
		if n++; n == 2 {
			gittest.Commit(t, w.dir, gittest.Change{Branch: "status", Files: gittest.Files(map[string]string{"notes.md": "seen\n"}), Message: "theirs\n"})
		}
	}))
	w.restart()
	w.pass()
	w.report("edge1", "web", 2)
	w.pass()
	mine := "combine-status: 1 changed, 0 new, 0 gone"
	if diff := cmp.Diff([]string{mine, "theirs", "combine-status: 0 changed, 2 new, 0 gone"}, w.commits()); diff != "" {
		t.Error(diff)
	}
	gittest.Commit(t, w.dir, gittest.Change{Branch: "status", Message: "more\n", Files: map[string]*string{
		"fleet/status/shop/note.yaml":                new("mine: 1\n"),
		"fleet/status/shop/shop/deployment_api.yaml": nil,
	}})
	w.pass()
	want := w.fromFunction()
	want["notes.md"], want["fleet/status/shop/note.yaml"] = "seen\n", "mine: 1\n"
	if diff := cmp.Diff(want, w.files()); diff != "" {
		t.Error(diff)
	}
	if got := w.commits(); got[1] != "more" {
		t.Errorf("commits %q", got)
	}
}

// TestRefused has a hook refuse: the next pass succeeds when the hook lets it.
func TestRefused(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	gittest.Hook(t, w.dir, "pre-receive", "echo not today; exit 1\n")
	if _, err := w.publisher.Publish(t.Context()); err == nil || !strings.Contains(err.Error(), "hook declined") {
		t.Fatalf("got %v", err)
	}
	if got := w.commits(); len(got) > 0 {
		t.Fatalf("commits %q", got)
	}
	gittest.Hook(t, w.dir, "pre-receive", "exit 0\n")
	w.pass()
	if diff := cmp.Diff(w.fromFunction(), w.files()); diff != "" {
		t.Error(diff)
	}
}

// TestUnreadable reports report nothing.
func TestUnreadable(t *testing.T) {
	testenv.Need(t, testenv.Git)
	w := newTestRepo(t, fleet)
	w.report("edge1", "web", 2)
	for source, obj := range maps.Clone(w.reports) {
		delete(w.reports, source)
		broken := maps.Clone(obj)
		broken["spec"] = map[string]any{"sourceRef": map[string]any{}}
		if err := w.publisher.Put(source, broken); err == nil {
			t.Error("want an error")
		}
	}
	w.pass()
	if diff := cmp.Diff(w.fromFunction(), w.files()); diff != "" || w.publisher.Reports() != 0 {
		t.Errorf("%d reports, %s", w.publisher.Reports(), diff)
	}
}

// TestCheck is about names.
func TestCheck(t *testing.T) {
	for _, o := range []statusbranch.Options{{}, {Package: "."}, {Package: "./a/b/", Branch: "waybill/status"}} {
		if err := o.Check(); err != nil {
			t.Error(err)
		}
	}
	for _, o := range []statusbranch.Options{{Package: "../a"}, {Branch: "a..b"}, {Branch: "-x"}, {Branch: "refs/heads/x"}, {Branch: "proposed/x"}, {Branch: "HEAD"}} {
		if err := o.Check(); err == nil {
			t.Errorf("%+v: want an error", o)
		}
	}
}

// TestRandom makes changes in any order: in the end the branch has what the function generates, and a new
// Publisher has nothing to do.
func TestRandom(t *testing.T) {
	testenv.Need(t, testenv.Git)
	for seed := range uint64(testenv.Few(6)) {
		w := newTestRepo(t, fleet)
		r := rand.New(rand.NewPCG(seed, 7))
		steps := []func(){
			func() { w.report(fmt.Sprintf("edge%d", r.IntN(3)), []string{"web", "api"}[r.IntN(2)], r.IntN(4)-1) },
			func() { w.pass() },
			w.restart,
			func() {
				text := strings.Replace(collectorText, "SUM", []string{"SUM", "MAX", "MIN"}[r.IntN(3)], 1)
				gittest.Commit(t, w.dir, gittest.Change{Files: gittest.Files(map[string]string{"fleet/collectors.yaml": text})})
			},
			func() {
				gittest.Commit(t, w.dir, gittest.Change{Branch: "status", Files: map[string]*string{"fleet/status/shop/shop/deployment_web.yaml": nil, "b": new("c")}})
			},
		}
		for range 40 {
			steps[r.IntN(len(steps))]()
		}
		w.pass()
		got := w.files()
		delete(got, "b")
		if diff := cmp.Diff(w.fromFunction(), got); diff != "" {
			t.Errorf("seed %d (-function +branch):\n%s", seed, diff)
		}
		w.restart()
		if out := w.pass(); !out.Commit.IsZero() {
			t.Errorf("seed %d: a second look commits", seed)
		}
	}
}
