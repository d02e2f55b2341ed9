package gitrepo_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// withFilter makes a repository that serves parts of its objects, as GitHub, GitLab and Gitea do.
func withFilter(t testing.TB, dir string) {
	gittest.Config(t, dir, "uploadpack.allowFilter=true")
	gittest.Config(t, dir, "uploadpack.allowAnySHA1InWant=true")
}

// received counts the bytes and answers that a server sends.
type received struct{ bytes, answers atomic.Int64 }

func (c *received) option(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			c.answers.Add(1)
		}
		next.ServeHTTP(countingWriter{w, io.MultiWriter(w, c)}, r)
	})
}

func (c *received) Write(p []byte) (int, error) { c.bytes.Add(int64(len(p))); return len(p), nil }

type countingWriter struct {
	http.ResponseWriter
	to io.Writer
}

func (w countingWriter) Write(p []byte) (int, error) { return w.to.Write(p) }

// grow adds commits, each with other bytes in a package of its own and in one file, and a tag for some.
func grow(t testing.TB, dir string, from, to int) {
	r := rand.New(rand.NewPCG(uint64(from), 0))
	for i := from; i < to; i++ {
		noise := make([]byte, 3000)
		for j := range noise {
			noise[j] = byte('a' + r.IntN(26))
		}
		gittest.Commit(t, dir, gittest.Change{When: gittest.Epoch.Add(time.Duration(i) * time.Hour), Tag: fmt.Sprintf("shop/v%d", i+1), Files: gittest.Files(map[string]string{
			"shop/Kptfile": "k", "shop/data": string(noise), fmt.Sprintf("shop/more/%d", i%5): string(noise[:100]), "other/Kptfile": "o"})})
	}
}

// TestPartial opens a repository with a history of ten times as many commits: what comes does not grow with it, beyond the commits. Then
// it reads every commit, which fetches what is missing, and nothing twice.
func TestPartial(t *testing.T) {
	dir := gittest.NewBare(t)
	withFilter(t, dir)
	var got received
	url := gittest.NewHTTP(t, dir, got.option)
	grow(t, dir, 0, 6)
	open(t, url)
	short := got.bytes.Swap(0)
	grow(t, dir, 6, 60)
	repo := open(t, url)
	if long := got.bytes.Swap(0); long > short+60*300 {
		t.Errorf("a history of 6 commits is %d bytes, one of 60 is %d", short, long)
	}
	whole := open(t, "file://"+dir) // without a limit on what is sent
	checkSame(t, whole, repo)
	before := got.answers.Load()
	checkSame(t, whole, repo)
	if again := got.answers.Load(); again != before {
		t.Errorf("to read all again takes %d requests", again-before)
	}
	if before > 60 {
		t.Errorf("to read 60 commits takes %d requests", before)
	}
}

// checkSame reads everything in two views of a repository.
func checkSame(t *testing.T, want, got *gitrepo.Repo) {
	t.Helper()
	if diff := cmp.Diff(listing(want), listing(got)); diff != "" {
		t.Fatalf("refs differ (-want +got):\n%s", diff)
	}
	type view struct {
		Packages []string
		Listed   []gitrepo.Listed
		Files    map[string]string
		Has      bool
		Dir      gitrepo.Hash
	}
	read := func(r *gitrepo.Repo, commit gitrepo.Hash) (v view) {
		var errs [5]error
		var tree pkgtree.Tree
		v.Has, errs[0] = r.HasFile(commit, "shop/Kptfile")
		v.Packages, errs[1] = r.FindPackages(commit, "")
		v.Listed, errs[2] = r.List(commit, "")
		tree, errs[3] = r.Package(commit, "shop")
		v.Dir, errs[4] = r.DirID(commit, "other")
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatalf("commit %s: %v", commit, err)
		}
		v.Files = text(tree)
		return v
	}
	for _, ref := range want.Refs() {
		if diff := cmp.Diff(read(want, ref.Commit), read(got, ref.Commit)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ref.Name, diff)
		}
	}
}

// TestPartialRefresh follows a repository while commits come, branches are rewritten, and refs go: the view is always that of a
// repository opened anew, and a push on top of it is complete.
func TestPartialRefresh(t *testing.T) {
	dir := gittest.NewBare(t)
	withFilter(t, dir)
	var got received
	url := gittest.NewHTTP(t, dir, got.option)
	repo := open(t, url)
	grow(t, dir, 0, 5)
	for i, change := range []func(){
		func() { grow(t, dir, 5, 8) },
		func() { gittest.Git(t, dir, "update-ref", "refs/heads/main", "shop/v3") }, // rewritten
		func() { grow(t, dir, 20, 22) },
		func() {
			gittest.Git(t, dir, "tag", "--delete", "shop/v8")
			gittest.Git(t, dir, "branch", "drafts/a/b", "shop/v2")
		},
		func() {
			gittest.Git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "tag", "--annotate", "--message=m", "other/v1", "shop/v1")
		},
		func() { gittest.Config(t, dir, "uploadpack.allowFilter=false") },
		func() { grow(t, dir, 30, 32) },
	} {
		change()
		if err := repo.Refresh(t.Context()); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
		checkSame(t, open(t, "file://"+dir), repo)
	}
}

// partialView is a view of a repository over HTTP that has no files of an old commit.
func partialView(t testing.TB) (dir string, repo *gitrepo.Repo, old gitrepo.Hash) {
	t.Helper()
	dir = gittest.NewBare(t)
	withFilter(t, dir)
	grow(t, dir, 0, 8)
	repo = open(t, gittest.NewHTTP(t, dir))
	old = hash(t, gittest.Git(t, dir, "rev-parse", "shop/v2"))
	return dir, repo, old
}

// TestPartialPush pushes on top of a commit of the history whose files are not here.
func TestPartialPush(t *testing.T) {
	dir, repo, old := partialView(t)
	if repo.HasTree(old) {
		t.Fatal("the files of an old commit are here")
	}
	stage := repo.Stage()
	root, err := stage.Root(old)
	if err != nil {
		t.Fatal(err)
	}
	if root, err = stage.ReplaceDir(root, "new", tree(t, map[string]string{"Kptfile": "n"})); err != nil {
		t.Fatal(err)
	}
	if err := stage.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: commit(t, stage, root, old)}}); err != nil {
		t.Fatal(err)
	}
	gittest.Fsck(t, dir)
	checkSame(t, open(t, "file://"+dir), repo)
}

// TestPartialRefused reads from servers that say that they can filter, and refuse the filter, from the start or later.
func TestPartialRefused(t *testing.T) {
	for name, option := range map[string]string{"all": "uploadpackfilter.allow=false", "tree": "uploadpackfilter.tree.allow=false"} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, dir, url string) {
				withFilter(t, dir)
				grow(t, dir, 0, 4)
				before := open(t, url)
				gittest.Config(t, dir, option)
				grow(t, dir, 4, 6)
				if err := before.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				anew := open(t, url)
				gittest.Config(t, dir, "uploadpack.allowFilter=false")
				whole := open(t, "file://"+dir)
				checkSame(t, whole, before)
				checkSame(t, whole, anew)
			})
		})
	}
}
