package revision_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

var owner = revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "upf"}

// cloneRequest asks for the clone of a published revision, with an owner.
func cloneRequest(t testing.TB) revision.DraftRequest {
	t.Helper()
	return revision.DraftRequest{
		Package: "net/upf", Workspace: "packagevariant-1", Content: pkg(t, "upf"), Owner: owner, Stamp: later(5),
		Task: porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{Upstream: porch.UpstreamPackage{
			UpstreamRef: &porch.PackageRevisionRef{Name: "blueprints.upf.v3"}}}},
	}
}

// TestDraftCommit compares a whole draft, its commit id included: the same inputs must give the same id
// in every version, and on every machine.
func TestDraftCommit(t *testing.T) {
	const want = `tree c3aba9ac76b4796d64acb59ac29b7fa9d5260259
parent %s
author Package Orchestration Service <porch@kpt.dev> 1767225900 +0000
committer Package Orchestration Service <porch@kpt.dev> 1767225900 +0000

Creating new revision by cloning


kpt:{"package":"net/upf","workspaceName":"packagevariant-1","revision":"0","task":{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.upf.v3"}}}}}

Waybill-Owner: PackageVariant fleet/upf
`
	ids := map[string]bool{}
	for range 2 {
		dir, s := newRepo(t, revision.Config{})
		main := gittest.Git(t, dir, "rev-parse", "main")
		rev := must(t)(s.CreateDraft(ctx, cloneRequest(t)))
		if diff := cmp.Diff(fmt.Sprintf(want, main), gittest.Git(t, dir, "cat-file", "commit", "drafts/net/upf/packagevariant-1")+"\n"); diff != "" {
			t.Errorf("the commit of a clone (-want +got):\n%s", diff)
		}
		if got := gittest.Git(t, dir, "ls-tree", "-r", "--name-only", rev.Commit.String()); got != "README.md\nnet/upf/Kptfile\nnet/upf/conf/a.yaml" {
			t.Errorf("the files of main with the package; got\n%s", got)
		}
		task := cloneRequest(t).Task
		wantRev := revision.Revision{
			Name: "edge.net.upf.packagevariant-1", Repository: "edge", Package: "net/upf", Path: "net/upf", Workspace: "packagevariant-1",
			Lifecycle: porch.Draft, Ref: "refs/heads/drafts/net/upf/packagevariant-1", Target: rev.Commit, Commit: rev.Commit, Task: &task, Owner: owner,
		}
		if diff := cmp.Diff(wantRev, rev); diff != "" {
			t.Errorf("the revision (-want +got):\n%s", diff)
		}
		got, err := s.Content(rev)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text(pkg(t, "upf")), text(got)); diff != "" {
			t.Errorf("reading the content (-want +got):\n%s", diff)
		}
		wantLock := revision.Lock{Repo: dir, Directory: "net/upf", Ref: "drafts/net/upf/packagevariant-1", Commit: rev.Commit.String()}
		if diff := cmp.Diff(wantLock, s.Lock(rev)); diff != "" {
			t.Errorf("the lock (-want +got):\n%s", diff)
		}
		checkLaws(t, dir, s, revision.Config{})
		ids[rev.Commit.String()] = true
	}
	if len(ids) != 1 {
		t.Errorf("the same draft in two fresh repositories has ids %v", ids)
	}
}

func TestAuthorAndTime(t *testing.T) {
	ann := revision.Identity{Name: "Ann", Email: "ann@example.com"}
	for name, tc := range map[string]struct {
		reason string
		cfg    revision.Config
		by     revision.Stamp
		want   string
	}{
		"no user":    {reason: "without a user Porch's service is the author; the time is that of the newer parent", want: "Package Orchestration Service <porch@kpt.dev> 0s"},
		"user":       {reason: "the user who asks is the author", by: revision.Stamp{User: ann, When: later(3).When}, want: "Ann <ann@example.com> 3m0s"},
		"repository": {reason: "the repository's author has priority", cfg: revision.Config{Author: "Bot", Email: "bot@example.com"}, by: revision.Stamp{User: ann}, want: "Bot <bot@example.com> 0s"},
		"email only": {reason: "a missing name becomes the email", cfg: revision.Config{Email: "bot@example.com"}, want: "bot@example.com <bot@example.com> 0s"},
		"name only":  {reason: "a missing email stays missing", cfg: revision.Config{Author: "Bot"}, want: "Bot <> 0s"},
		"zone":       {reason: "the time zone does not matter", by: revision.Stamp{When: later(3).When.In(time.FixedZone("x", 7200))}, want: "Package Orchestration Service <porch@kpt.dev> 3m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, tc.cfg)
			req := initDraft(t, "web", "w")
			req.Stamp = tc.by
			rev := must(t)(s.CreateDraft(ctx, req))
			show := func(format string) string {
				return gittest.Git(t, dir, "show", "-s", "--format="+format, rev.Commit.String())
			}
			var secs int64
			if _, err := fmt.Sscan(show("%at"), &secs); err != nil {
				t.Fatal(err)
			}
			if got := show("%an <%ae> ") + time.Unix(secs, 0).Sub(gittest.Epoch).String(); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
			if got := show("%cn <%ce> %ct"); got != fmt.Sprintf("Package Orchestration Service <porch@kpt.dev> %d", secs) {
				t.Errorf("%s: committer %q", tc.reason, got)
			}
		})
	}
}

func TestCreateDraftRules(t *testing.T) {
	testenv.Long(t, "dozens of repositories")
	for name, tc := range map[string]struct {
		reason string
		edit   func(*revision.DraftRequest)
		exists bool
		err    string // "" when the draft is made
	}{
		"new package":    {reason: "a new package beside others is allowed", edit: func(r *revision.DraftRequest) { r.Package = "net/smf" }},
		"next workspace": {reason: "a package may have many workspaces", edit: func(*revision.DraftRequest) {}},
		"no task":        {reason: "no task means init", edit: func(r *revision.DraftRequest) { r.Task = porch.Task{} }},
		"edit": {reason: "an edit continues a published revision", edit: func(r *revision.DraftRequest) {
			r.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.net.upf.w1"}}}
		}},
		"edit a draft": {reason: "an edit cannot continue a draft", err: `source "edge.net.upf.w2" is not published`, edit: func(r *revision.DraftRequest) {
			r.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.net.upf.w2"}}}
		}},
		"edit the placeholder": {reason: "an edit cannot continue the placeholder", err: `source "edge.net.upf.main" is not published`, edit: func(r *revision.DraftRequest) {
			r.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.net.upf.main"}}}
		}},
		"edit another": {reason: "an edit cannot continue another package", err: `belongs to another package, "net/upf"`, edit: func(r *revision.DraftRequest) {
			r.Package = "net/smf"
			r.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.net.upf.w1"}}}
		}},
		"upgrade nothing": {reason: "an upgrade needs an existing revision", err: `source "edge.net.upf.gone" does not exist`, edit: func(r *revision.DraftRequest) {
			r.Task = porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{LocalPackageRevision: porch.PackageRevisionRef{Name: "edge.net.upf.gone"}}}
		}},
		"clone again":        {reason: "a clone makes new packages only", edit: func(r *revision.DraftRequest) { r.Task = cloneRequest(t).Task }, exists: true, err: "the package exists already"},
		"render":             {reason: "a revision cannot begin with a render", edit: func(r *revision.DraftRequest) { r.Task.Type = porch.TaskRender }, err: `cannot begin with task "render"`},
		"published":          {reason: "the workspace of a published revision is taken", edit: func(r *revision.DraftRequest) { r.Workspace = "w1" }, exists: true, err: "workspace exists already"},
		"drafted":            {reason: "the workspace of a draft is taken", edit: func(r *revision.DraftRequest) { r.Workspace = "w2" }, exists: true, err: "workspace exists already"},
		"main":               {reason: "the workspace of the placeholder is taken", edit: func(r *revision.DraftRequest) { r.Workspace = "main" }, exists: true, err: "workspace exists already"},
		"inside":             {reason: "a package does not lie inside another", edit: func(r *revision.DraftRequest) { r.Package = "net/upf/sub/deep" }, err: `inside package "net/upf"`},
		"above":              {reason: "a package does not contain another", edit: func(r *revision.DraftRequest) { r.Package = "net" }, err: `package "net/upf" lies inside it`},
		"above a draft":      {reason: "a draft counts, too", edit: func(r *revision.DraftRequest) { r.Package = "new" }, err: `package "new/draft" lies inside it`},
		"no Kptfile":         {reason: "a package has a Kptfile at its root", edit: func(r *revision.DraftRequest) { r.Content = content(t, map[string]string{"sub/Kptfile": ""}) }, err: "package must contain Kptfile at root"},
		"empty":              {reason: "an empty package has none", edit: func(r *revision.DraftRequest) { r.Content = pkgtree.Tree{} }, err: "package must contain Kptfile at root"},
		"bad package":        {reason: "package names are labels", edit: func(r *revision.DraftRequest) { r.Package = "net/Upf" }, err: `package name segment "Upf"`},
		"no package":         {reason: "a package name is not empty", edit: func(r *revision.DraftRequest) { r.Package = "" }, err: `package name segment ""`},
		"package climbs out": {reason: "a package stays in the repository", edit: func(r *revision.DraftRequest) { r.Package = "../x" }, err: `package name segment ".."`},
		"bad workspace":      {reason: "workspaces are labels", edit: func(r *revision.DraftRequest) { r.Workspace = "a/b" }, err: `workspace name "a/b"`},
		"long name":          {reason: "the length of the object's name is bounded", edit: func(r *revision.DraftRequest) { r.Package = strings.Repeat("net/", 80) + "upf" }, err: "object name"},
		"bad owner":          {reason: "an owner that could not be read back is refused", edit: func(r *revision.DraftRequest) { r.Owner.Name = "a b" }, err: "owner "},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, revision.Config{})
			publish(t, s, initDraft(t, "net/upf", "w1"))
			must(t)(s.CreateDraft(ctx, initDraft(t, "net/upf", "w2")))
			must(t)(s.CreateDraft(ctx, initDraft(t, "new/draft", "w")))
			req := initDraft(t, "net/upf", "w3")
			req.Owner = owner
			tc.edit(&req)
			if tc.err == "" {
				must(t)(s.CreateDraft(ctx, req))
				checkLaws(t, dir, s, revision.Config{})
				return
			}
			unchanged(t, tc.reason, dir, func() {
				_, err := s.CreateDraft(ctx, req)
				var refused *revision.RefusedError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), tc.err) || refused.Exists != tc.exists || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: got %v, want one line with %q", tc.reason, err, tc.err)
				}
			})
		})
	}
}

// TestCreateDrafts makes many drafts in one push, or none.
func TestCreateDrafts(t *testing.T) {
	dir, s := newRepo(t, revision.Config{Directory: "deploy"})
	var reqs []revision.DraftRequest
	for _, p := range []string{"c", "a/x", "b"} {
		reqs = append(reqs, initDraft(t, p, "w"))
	}
	gittest.Hook(t, dir, "pre-receive", `echo push >> "$GIT_DIR/pushes"; cat > /dev/null`)
	revs, err := s.CreateDrafts(ctx, reqs)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c w 0 Draft", "a/x w 0 Draft", "b w 0 Draft"}, brief(revs)); diff != "" {
		t.Errorf("revisions come in the order of the requests (-want +got):\n%s", diff)
	}
	if got := gittest.Git(t, dir, "show", revs[1].Commit.String()+":deploy/a/x/Kptfile"); got != "# a/x w" {
		t.Errorf("the package lies below the directory; got %q", got)
	}
	checkLaws(t, dir, s, revision.Config{Directory: "deploy"})
	unchanged(t, "one bad draft of two", dir, func() {
		if _, err := s.CreateDrafts(ctx, []revision.DraftRequest{initDraft(t, "d", "w"), initDraft(t, "d/e", "w")}); err == nil {
			t.Error("one package of a request contains another")
		}
	})
	gittest.Git(t, dir, "branch", "drafts/deploy/f/w", "main") // by another client, after the last refresh
	unchanged(t, "one draft of two was made by another client", dir, func() {
		if _, err := s.CreateDrafts(ctx, []revision.DraftRequest{initDraft(t, "d", "w"), initDraft(t, "f", "w")}); !isStale(err) {
			t.Errorf("got %v, want a StaleError", err)
		}
	})
	if revs, err := s.CreateDrafts(ctx, nil); revs != nil || err != nil {
		t.Errorf("an empty list of requests returned %v, %v", revs, err)
	}
}

func TestTwoWritersOneDraft(t *testing.T) {
	dir, _ := newRepo(t, revision.Config{})
	url := gittest.NewHTTP(t, dir)
	const writers = 4
	errs := make([]error, writers)
	stores := make([]*revision.Store, writers) // all of them read before one writes
	for i := range stores {
		stores[i] = openStore(t, url, revision.Config{})
	}
	var wg sync.WaitGroup
	for i, s := range stores {
		req := initDraft(t, "web", "w")
		req.Content = pkg(t, fmt.Sprint("writer ", i))
		wg.Go(func() { _, errs[i] = s.CreateDraft(ctx, req) })
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won < 0:
			won = i
		case err == nil:
			t.Errorf("writers %d and %d both made the draft", won, i)
		case !isStale(err):
			t.Errorf("writer %d: got %v, want a StaleError", i, err)
		}
	}
	if got := gittest.Git(t, dir, "show", "drafts/web/w:web/Kptfile"); got != fmt.Sprint("# writer ", won) {
		t.Errorf("writer %d won, and the draft holds %q", won, got)
	}
	gittest.Fsck(t, dir)
}

func TestCreateBranch(t *testing.T) {
	ids := map[string]bool{}
	for range 2 {
		dir := gittest.NewBare(t)
		cfg := revision.Config{CreateBranch: true}
		unchanged(t, "without createBranch", dir, func() {
			if _, err := openStore(t, dir, revision.Config{}).CreateDraft(ctx, cloneRequest(t)); err == nil || !strings.Contains(err.Error(), `has no branch "main"`) {
				t.Errorf("an empty repository without createBranch: got %v", err)
			}
		})
		s, other := openStore(t, dir, cfg), openStore(t, dir, cfg)
		rev := must(t)(s.CreateDraft(ctx, cloneRequest(t)))
		if got := gittest.Git(t, dir, "log", "--format=%s %an %ct", "main"); got != "Initial commit: Creating main branch Package Orchestration Service 1767225900" {
			t.Errorf("main begins with %q", got)
		}
		if got := gittest.Git(t, dir, "ls-tree", "--name-only", "main") + gittest.Git(t, dir, "show", "main:README.md"); got != "README.md# edge" {
			t.Errorf("main holds %q", got)
		}
		if got := gittest.Git(t, dir, "rev-parse", rev.Commit.String()+"^"); got != gittest.Git(t, dir, "rev-parse", "main") {
			t.Errorf("the parent of the draft is %s", got)
		}
		must(t)(other.CreateDraft(ctx, initDraft(t, "late", "w"))) // its view has no main yet
		checkLaws(t, dir, other, cfg)
		ids[gittest.Refs(t, dir)] = true
	}
	if len(ids) != 1 {
		t.Error("the same drafts in two empty repositories gave different ids")
	}
}
