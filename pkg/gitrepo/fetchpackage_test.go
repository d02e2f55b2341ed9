package gitrepo_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func hash(t testing.TB, s string) gitrepo.Hash {
	t.Helper()
	h, err := gitrepo.ParseHash(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestFetchTakesOneCommit(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		for i := range 20 {
			seed(t, dir, map[string]string{"pkg/Kptfile": "k", "pkg/sub/a": strings.Repeat(fmt.Sprint(i), 100), "other": fmt.Sprint(i)})
		}
		one := gitrepo.Options{Bounds: gitrepo.Bounds{Objects: 6}} // commit, three trees, two files: and "other"
		if _, err := gitrepo.FetchPackage(t.Context(), url, "pkg", "main", one); !tooMany(err) {
			t.Fatalf("a pack with one object too many is refused: %v", err)
		}
		one.Bounds.Objects++
		f, err := gitrepo.FetchPackage(t.Context(), url, "pkg", "main", one)
		if err != nil {
			t.Fatalf("the history is not asked for: %v", err)
		}
		want := map[string]string{"Kptfile": "k", "sub/a": strings.Repeat("19", 100)}
		if diff := cmp.Diff(want, text(f.Tree)); diff != "" {
			t.Errorf("the package is as it stands at the ref (-want +got):\n%s", diff)
		}
		if id := gittest.Git(t, dir, "rev-parse", "main:pkg"); f.DirID.String() != id {
			t.Errorf("the Git tree is %s, want %s", f.DirID, id)
		}
	})
}

func tooMany(err error) bool {
	var bounds *gitrepo.BoundsError
	return errors.As(err, &bounds)
}

func TestFetchLocked(t *testing.T) {
	for name, tc := range map[string]struct{ reason, config string }{
		"strict":    {"a server that gives only what refs name is asked for their history", "uploadpack.allowTipSHA1InWant=false"},
		"reachable": {"one that gives what refs reach is asked for the commit", "uploadpack.allowReachableSHA1InWant=true"},
		"any":       {"so is one that gives anything", "uploadpack.allowAnySHA1InWant=true"},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, dir, url string) {
				gittest.Config(t, dir, tc.config)
				old := seed(t, dir, map[string]string{"pkg/a": "1"})
				gittest.Commit(t, dir, gittest.Change{Branch: "side", Files: gittest.Files(map[string]string{"pkg/a": "side"})})
				side := gittest.Commit(t, dir, gittest.Change{Branch: "side", Files: gittest.Files(map[string]string{"pkg/a": "more"})})
				seed(t, dir, map[string]string{"pkg/a": "2"})
				seed(t, dir, map[string]string{"pkg/a": "3"})
				gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "m", "v1", old)
				tagID := gittest.Git(t, dir, "rev-parse", "v1")
				for _, lock := range []struct{ reason, commit, ref, is, want string }{
					{"an old commit of the ref", gittest.Git(t, dir, "rev-parse", "main~1"), "main", "", "2"},
					{"of another ref than the lock says", gittest.Git(t, dir, "rev-parse", "side~1"), "main", "", "side"},
					{"of a ref that is gone", gittest.Git(t, dir, "rev-parse", "main~1"), "gone", "", "2"},
					{"of no ref, or an odd one", gittest.Git(t, dir, "rev-parse", "main~1"), "--x", "", "2"},
					{"that a branch names", side, "", "", "more"},
					{"that a tag leads to", old, "v1", "", "1"},
					{"a tag's own id, as kpt writes it", tagID, "v1", old, "1"},
				} {
					f, err := gitrepo.FetchLocked(t.Context(), url, "pkg", lock.ref, hash(t, lock.commit), gitrepo.Options{})
					if err != nil {
						t.Fatalf("%s, %s: %v", tc.reason, lock.reason, err)
					}
					if lock.is == "" {
						lock.is = lock.commit
					}
					if got := text(f.Tree)["a"]; got != lock.want || f.Commit.String() != lock.is {
						t.Errorf("%s, %s: got %q at %s", tc.reason, lock.reason, got, f.Commit)
					}
				}
			})
		})
	}
}

func TestFetchRewrittenHistory(t *testing.T) {
	for name, config := range map[string]string{"strict": "uploadpack.allowTipSHA1InWant=false", "any": "uploadpack.allowAnySHA1InWant=true"} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, dir, url string) {
				gittest.Config(t, dir, config)
				lost := seed(t, dir, map[string]string{"pkg/a": "1"})
				gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
				seed(t, dir, map[string]string{"pkg/a": "2"})
				gittest.Git(t, dir, "prune", "--expire=now")
				_, err := gitrepo.FetchLocked(t.Context(), url, "pkg", "main", hash(t, lost), gitrepo.Options{})
				var gone *gitrepo.GoneError
				if !errors.As(err, &gone) || !strings.Contains(err.Error(), lost) || !strings.Contains(err.Error(), "get the package again") {
					t.Errorf("%s: a commit that is gone is said to be gone, and what to do: %v", config, err)
				}
				_, err = gitrepo.FetchPackage(t.Context(), url, "pkg", lost, gitrepo.Options{})
				if !errors.As(err, &gone) || gone.Ref != "" {
					t.Errorf("%s: so it is when the commit is asked for by its id alone: %v", config, err)
				}
			})
		})
	}
}

func TestFetchLockedNothing(t *testing.T) {
	commit, _ := commitOf()
	url := liar(t, commit, func(io.Writer) {})
	_, err := gitrepo.FetchLocked(t.Context(), url, "", "main", idOf(commit), gitrepo.Options{})
	var pack *gitrepo.PackError
	if !errors.As(err, &pack) || !strings.Contains(err.Error(), "it is empty") {
		t.Errorf("a server that sends nothing is in trouble; its history may be as it was: %v", err)
	}
}

func TestFetchMovingBranch(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"pkg/a": "1"})
	var once sync.Once
	url := gittest.NewHTTP(t, dir, gittest.BeforeUpload(func() {
		once.Do(func() {
			gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
			seed(t, dir, map[string]string{"pkg/a": "2"})
		})
	}))
	f, err := gitrepo.FetchPackage(t.Context(), url, "pkg", "main", gitrepo.Options{})
	if err != nil || text(f.Tree)["a"] != "2" {
		t.Errorf("a branch that moves between list and request is looked at again: %v", err)
	}
}

func TestFetchLeavesOut(t *testing.T) {
	dir := gittest.NewBare(t)
	id := seed(t, dir, map[string]string{"pkg/a": "1", "pkg/sub/b": "2"})
	blob := gittest.Git(t, dir, "rev-parse", "main:pkg/a")
	cacheinfo(t, dir, "120000", blob, "pkg/link")
	cacheinfo(t, dir, "160000", id, "pkg/sub/module")
	f, err := gitrepo.FetchPackage(t.Context(), dir, "pkg", "main", gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "1", "sub/b": "2"}, text(f.Tree)); diff != "" {
		t.Errorf("links and submodules are no part of a package (-want +got):\n%s", diff)
	}
	want := []gitrepo.LeftOut{{Path: "link", Kind: "symbolic link"}, {Path: "sub/module", Kind: "submodule"}}
	if diff := cmp.Diff(want, f.LeftOut); diff != "" {
		t.Errorf("and it is said that they were left out (-want +got):\n%s", diff)
	}
	for name, dir2 := range map[string]string{"no such directory": "nope", "a file": "pkg/a", "a link": "pkg/link"} {
		var none *gitrepo.DirError
		if _, err := gitrepo.FetchPackage(t.Context(), dir, dir2, "main", gitrepo.Options{}); !errors.As(err, &none) {
			t.Errorf("%s is no package: %v", name, err)
		}
	}
}

// TestCommittedLitter has a repository with a commit of the remains of a killed write. It can
// be used as if that were not there.
func TestCommittedLitter(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"pkg/Kptfile": "k", "pkg/a": "1", "pkg/.waybill-tmp-0": "x", "pkg/.waybill-journal": "x", "pkg/sub/.waybill-folders": "x",
		"pkg/sub/.Waybill-tmp-7/Kptfile": "k", "pkg/.waybill-tmp-x": "2", ".waybill-tmp-1/Kptfile": "k"})
	want := map[string]string{"Kptfile": "k", "a": "1", ".waybill-tmp-x": "2"}
	f, err := gitrepo.FetchPackage(t.Context(), dir, "pkg", "main", gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, text(f.Tree)); diff != "" {
		t.Errorf("it is no part of a package (-want +got):\n%s", diff)
	}
	file, folder := "temporary file of an interrupted write", "temporary folder of an interrupted write"
	left := []gitrepo.LeftOut{{Path: ".waybill-journal", Kind: file}, {Path: ".waybill-tmp-0", Kind: file}, {Path: "sub/.Waybill-tmp-7", Kind: folder}, {Path: "sub/.waybill-folders", Kind: file}}
	if diff := cmp.Diff(left, f.LeftOut); diff != "" {
		t.Errorf("and it is said that it was left out (-want +got):\n%s", diff)
	}
	r := open(t, dir)
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Package(head, "pkg")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, text(got)); diff != "" {
		t.Errorf("nor is it one of a revision (-want +got):\n%s", diff)
	}
	if packages, err := r.FindPackages(head, ""); err != nil || !slices.Equal(packages, []string{"pkg"}) {
		t.Errorf("nor a package: %v %v", packages, err)
	}
}

func TestFetchExecutable(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		seed(t, dir, map[string]string{"pkg/run": "1", "pkg/a/run.sh": "2", "pkg/a.sh": "3", "pkg/plain": "4"})
		for _, p := range []string{"pkg/run", "pkg/a/run.sh", "pkg/a.sh", "outside"} {
			cacheinfo(t, dir, "100755", gittest.Git(t, dir, "rev-parse", "main:pkg/run"), p)
		}
		opts := cached(t, t.TempDir()+"/cache")
		for _, reason := range []string{"from the repository", "from the cache"} {
			f := fetch(t, url, "pkg", "main", opts)
			if diff := cmp.Diff([]string{"a.sh", "a/run.sh", "run"}, f.Executable); diff != "" || f.Cached != (reason == "from the cache") {
				t.Errorf("%s: programs are named, sorted (-want +got):\n%s", reason, diff)
			}
		}
	})
}

// TestFetchOldModes has modes that old tools wrote, and which git no longer does.
func TestFetchOldModes(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	commit, root := commitOf(line("100644", "a", file), line("100654", "b", file), line("100664", "c", file), line("100700", "d", file), line("100775", "e", file))
	url := liar(t, commit, func(w io.Writer) { _, _ = w.Write(encode(3, commit, root, file)) })
	f := fetch(t, url, "", "main", gitrepo.Options{})
	if diff := cmp.Diff([]string{"d", "e"}, f.Executable); diff != "" || f.Tree.Len() != 5 {
		t.Errorf("the owner's bit counts (-want +got):\n%s", diff)
	}
}
