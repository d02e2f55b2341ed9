package revision_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestRefsBelowDirectory takes a package of a repository with a directory through its whole life cycle, and
// checks the refs after every step.
func TestRefsBelowDirectory(t *testing.T) {
	dir, s := newRepo(t, revision.Config{Directory: "sites"})
	ok := must(t)
	refs := func(reason string, want ...string) {
		t.Helper()
		var got []string
		for _, name := range strings.Fields(gittest.Git(t, dir, "for-each-ref", "--format=%(refname)")) {
			if name != "refs/heads/main" {
				got = append(got, strings.TrimPrefix(name, "refs/"))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
	rev := ok(s.CreateDraft(ctx, initDraft(t, "net/upf", "w")))
	refs("a draft is a branch", "heads/drafts/sites/net/upf/w")
	rev = ok(s.Propose(ctx, rev))
	refs("so is a proposal, and the draft is gone", "heads/proposed/sites/net/upf/w")
	rev = ok(s.Approve(ctx, rev, later(2)))
	refs("what is published is a tag", "tags/sites/net/upf/v1")
	rev = ok(s.ProposeDeletion(ctx, rev))
	refs("its deletion is proposed by number", "heads/deletionProposed/sites/net/upf/v1", "tags/sites/net/upf/v1")
	if got, want := gittest.Git(t, dir, "rev-parse", "deletionProposed/sites/net/upf/v1"), rev.Commit.String(); got != want {
		t.Errorf("the proposal to delete is at %s, the revision at %s", got, want)
	}
	if err := s.Delete(ctx, rev, later(3)); err != nil {
		t.Fatal(err)
	}
	refs("a deleted revision leaves no ref")
	main := ok(s.ProposeDeletion(ctx, byWorkspace(t, s)["main"]))
	refs("the placeholder's deletion is proposed by workspace", "heads/deletionProposed/sites/net/upf/main")
	if err := s.Delete(ctx, main, later(3)); err != nil {
		t.Fatal(err)
	}
	refs("and leaves no ref either")
	if got := gittest.Git(t, dir, "show", "-s", "--format=%B", "main"); got != "Delete sites/net/upf\n" {
		t.Errorf("the deletion of the placeholder says %q", got)
	}
	checkLaws(t, dir, s, revision.Config{Directory: "sites"})
}

// TestContinuedDrafts moves main after a publication: a draft that continues the published revision
// is based on the new main, and not on the published revision.
func TestContinuedDrafts(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	publish(t, s, initDraft(t, "web", "w1"))
	main := gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"beside": ""})})
	if err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	ref := porch.PackageRevisionRef{Name: "edge.web.w1"}
	for workspace, tc := range map[string]struct {
		task    porch.Task
		subject string
	}{
		"edit":    {porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &ref}}, "Creating new revision by copying previous revision"},
		"upgrade": {porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{LocalPackageRevision: ref}}, "Upgrading revision"},
		"init":    {porch.Task{}, "Creating new empty revision"},
	} {
		req := initDraft(t, "web", workspace)
		req.Task = tc.task
		rev := must(t)(s.CreateDraft(ctx, req))
		if got := gittest.Git(t, dir, "show", "-s", "--format=%P %s", rev.Commit.String()); got != main+" "+tc.subject {
			t.Errorf("%s is not one commit on main's head; got %q", workspace, got)
		}
	}
	checkLaws(t, dir, s, revision.Config{})
}

// TestOtherFilesKept puts an executable and a link beside a package: drafts and approvals do not
// change them, while the package's own files are plain.
func TestOtherFilesKept(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	blob := gittest.Git(t, dir, "rev-parse", "main:README.md")
	work := t.TempDir() // only for an index of its own
	gittest.Git(t, work, "init", "--quiet")
	gittest.Git(t, work, "fetch", "--quiet", dir, "main")
	gittest.Git(t, work, "read-tree", "FETCH_HEAD")
	for _, entry := range []string{"100755," + blob + ",bin/run", "120000," + blob + ",link", "100755," + blob + ",web/run.sh"} {
		gittest.Git(t, work, "update-index", "--add", "--cacheinfo", entry)
	}
	commit := gittest.Git(t, work, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit-tree", "-m", "m", "-p", "FETCH_HEAD", gittest.Git(t, work, "write-tree"))
	gittest.Git(t, work, "push", "--quiet", dir, commit+":refs/heads/main")
	if err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	publish(t, s, initDraft(t, "web", "w1"))
	want := fmt.Sprintf("100644 blob %[1]s\tREADME.md\n100755 blob %[1]s\tbin/run\n120000 blob %[1]s\tlink\n", blob)
	got := gittest.Git(t, dir, "ls-tree", "-r", "main", "README.md", "bin", "link") + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the files beside the package (-want +got):\n%s", diff)
	}
	if got := gittest.Git(t, dir, "ls-tree", "-r", "--format=%(objectmode) %(path)", "main", "web"); got != "100644 web/Kptfile\n100644 web/conf/a.yaml" {
		t.Errorf("the package is not replaced by plain files; got\n%s", got)
	}
}

// TestWhoApproves checks authors and committers of the commits on main.
func TestWhoApproves(t *testing.T) {
	const service = "Package Orchestration Service <porch@kpt.dev>"
	ann := revision.Identity{Name: "Ann", Email: "ann@example.com"}
	for name, tc := range map[string]struct {
		reason string
		cfg    revision.Config
		user   revision.Identity
		author string
	}{
		"no user":    {reason: "no user is named", author: service},
		"user":       {reason: "the user who approves is the author", user: ann, author: "Ann <ann@example.com>"},
		"repository": {reason: "the repository's author has priority", user: ann, cfg: revision.Config{Email: "bot@example.com"}, author: "bot@example.com <bot@example.com>"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, tc.cfg)
			by := later(7)
			by.User = tc.user
			rev := must(t)(s.Propose(ctx, must(t)(s.CreateDraft(ctx, initDraft(t, "web", "w")))))
			must(t)(s.Approve(ctx, rev, by))
			main := must(t)(s.ProposeDeletion(ctx, byWorkspace(t, s)["main"]))
			if err := s.Delete(ctx, main, by); err != nil {
				t.Fatal(err)
			}
			want := strings.Repeat(tc.author+" by "+service+"\n", 2)
			if diff := cmp.Diff(want, gittest.Git(t, dir, "log", "--first-parent", "-2", "--format=%an <%ae> by %cn <%ce>", "main")+"\n"); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNumbers checks that an approval gets the next number after the highest.
func TestNumbers(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		tags   []string
		doomed string // number whose deletion is proposed by a branch
		want   string // tag of the approval, or
		err    string
	}{
		"first":      {reason: "numbers begin with one", want: "web/v1"},
		"gap":        {reason: "gaps are not filled", tags: []string{"web/v1", "web/v4"}, want: "web/v5"},
		"bare":       {reason: "a number without v counts", tags: []string{"web/7"}, want: "web/v8"},
		"ten":        {reason: "numbers are not compared as text", tags: []string{"web/v9", "web/v10"}, want: "web/v11"},
		"words":      {reason: "a word is no number", tags: []string{"web/stable", "web/v1-rc"}, want: "web/v1"},
		"others":     {reason: "other packages do not count", tags: []string{"other/v3", "web2/v5"}, want: "web/v1"},
		"leaving":    {reason: "a revision whose deletion is proposed counts", tags: []string{"web/v2"}, doomed: "v2", want: "web/v3"},
		"left over":  {reason: "an old proposal to delete a revision does not concern a new one with its number", doomed: "v1", want: "web/v1"},
		"in the way": {reason: "a tag that is no revision is not moved", tags: []string{"web/v1@README"}, err: `approve of package "web", workspace "w": tag "web/v1" exists and does not hold the package: delete it first`},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, revision.Config{})
			empty := gittest.Git(t, dir, "rev-parse", "main")
			gittest.Commit(t, dir, gittest.Change{Branch: "packages", Files: gittest.Files(map[string]string{"web/Kptfile": "", "other/Kptfile": "", "web2/Kptfile": ""})})
			for _, tag := range tc.tags {
				tag, onEmpty := strings.CutSuffix(tag, "@README")
				at := "packages"
				if onEmpty {
					at = empty
				}
				gittest.Git(t, dir, "tag", tag, at)
			}
			if tc.doomed != "" {
				gittest.Git(t, dir, "branch", "deletionProposed/web/"+tc.doomed, "packages")
			}
			if err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			rev, err := s.Approve(ctx, must(t)(s.Propose(ctx, must(t)(s.CreateDraft(ctx, initDraft(t, "web", "w"))))), later(3))
			if tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Errorf("%s: got %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil || rev.Ref != "refs/tags/"+tc.want || rev.Lifecycle != porch.Published || !rev.Latest {
				t.Errorf("%s: got %s, %s, latest %v (%v), want %s", tc.reason, rev.Ref, rev.Lifecycle, rev.Latest, err, tc.want)
			}
			checkLaws(t, dir, s, revision.Config{})
		})
	}
}

// TestLock checks the place of revisions of every kind.
func TestLock(t *testing.T) {
	dir, s := newRepo(t, revision.Config{Directory: "sites"})
	publish(t, s, initDraft(t, "web", "w1"))
	must(t)(s.CreateDraft(ctx, initDraft(t, "web", "w2")))
	url := gittest.NewHTTP(t, dir)
	s = openStore(t, url, revision.Config{Directory: "sites"})
	got := map[string]revision.Lock{}
	for _, r := range list(t, s) {
		lock := s.Lock(r)
		if lock.Commit != gittest.Git(t, dir, "rev-parse", r.Ref) {
			t.Errorf("%s is locked to commit %s", r.Name, lock.Commit)
		}
		lock.Commit = ""
		got[r.Workspace] = lock
	}
	repo := strings.TrimSuffix(url, ".git") + ".git"
	want := map[string]revision.Lock{
		"w1":   {Repo: repo, Directory: "sites/web", Ref: "sites/web/v1"},
		"w2":   {Repo: repo, Directory: "sites/web", Ref: "drafts/sites/web/w2"},
		"main": {Repo: repo, Directory: "sites/web", Ref: "main"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("an address with .git, a directory in full, a ref in short (-want +got):\n%s", diff)
	}
}
