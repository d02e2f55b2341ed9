package gitrepo_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func cached(t testing.TB, dir string) gitrepo.Options {
	return gitrepo.Options{Cache: gitrepo.NewCache(dir, 0, func(err error) { t.Error(err) })}
}

func fetch(t testing.TB, url, dir, ref string, opts gitrepo.Options) *gitrepo.Fetched {
	t.Helper()
	f, err := gitrepo.FetchPackage(t.Context(), url, dir, ref, opts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// checkTree holds for every package that is fetched without links in it: its files make the very Git
// tree that the commit has.
func checkTree(t testing.TB, f *gitrepo.Fetched) {
	t.Helper()
	id, err := open(t, gittest.NewBare(t)).Stage().Put(f.Tree, gitrepo.Hash{})
	if err != nil || id != f.DirID {
		t.Errorf("the package makes the tree %s (%v), and the commit's is %s", id, err, f.DirID)
	}
}

func TestCacheSparesTheRemote(t *testing.T) {
	dir, store := gittest.NewBare(t), t.TempDir()+"/cache"
	first := seed(t, dir, map[string]string{"pkg/a": "1", "pkg/sub/b": "2", "other/c": "3"})
	var asked atomic.Int32
	url := gittest.NewHTTP(t, dir, gittest.BeforeUpload(func() { asked.Add(1) }))
	for i, tc := range []struct {
		reason, dir, ref string
		asked            int32
	}{
		{"the first time the objects are asked for", "pkg", "main", 1},
		{"the second time they are known", "pkg", "main", 1},
		{"other packages of the commit are known as well", "other", "main", 1},
		{"so is the commit by its id", "pkg/sub", first, 1},
		{"a branch that moved is a new commit", "pkg", "main", 2},
		{"which is then known", "pkg", "main", 2},
	} {
		if i == 4 {
			seed(t, dir, map[string]string{"pkg/a": "11"})
		}
		f := fetch(t, url, tc.dir, tc.ref, cached(t, store)) // each time as a new process would
		if got := asked.Load(); got != tc.asked || f.Cached == (i == 0 || i == 4) {
			t.Errorf("%s: %d requests, cached %v", tc.reason, got, f.Cached)
		}
		checkTree(t, f)
	}
}

func TestCacheServesWithoutRemote(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		opts := cached(t, t.TempDir()+"/cache")
		old := seed(t, dir, map[string]string{"pkg/a": "1"})
		gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "m", "v1", "main")
		tagID := gittest.Git(t, dir, "rev-parse", "v1")
		if _, err := gitrepo.FetchLocked(t.Context(), url, "pkg", "v1", hash(t, tagID), opts); err != nil {
			t.Fatal(err)
		}
		fetch(t, url, "pkg", "v1", opts)
		for _, ref := range []string{"refs/heads/main", "refs/tags/v1"} {
			gittest.Git(t, dir, "update-ref", "-d", ref)
		}
		gittest.Git(t, dir, "prune", "--expire=now")
		for reason, id := range map[string]string{"its history was rewritten": old, "a tag's own id, as kpt locks it": tagID} {
			f, err := gitrepo.FetchLocked(t.Context(), url, "pkg", "v1", hash(t, id), opts)
			if err != nil || !f.Cached || f.Commit.String() != old || text(f.Tree)["a"] != "1" {
				t.Errorf("%s: a commit that is known is served: %v", reason, err)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if f, err := gitrepo.FetchLocked(t.Context(), url, "pkg", "v1", hash(t, old), opts); err != nil || text(f.Tree)["a"] != "1" {
			t.Errorf("it is served with no repository there: %v", err)
		}
		if _, err := gitrepo.FetchPackage(t.Context(), url, "pkg", "v1", opts); err == nil {
			t.Error("where a tag stands is asked of the repository, each time")
		}
		var none *gitrepo.DirError
		if _, err := gitrepo.FetchLocked(t.Context(), url, "nope", "v1", hash(t, old), opts); !errors.As(err, &none) {
			t.Errorf("what the commit does not hold is not there: %v", err)
		}
	})
}

func TestCacheKeepsRepositoriesApart(t *testing.T) {
	one, two, opts := gittest.NewBare(t), gittest.NewBare(t), cached(t, t.TempDir()+"/cache")
	id := seed(t, one, map[string]string{"a": "1"})
	fetch(t, one, "", "main", opts)
	var gone *gitrepo.GoneError
	if _, err := gitrepo.FetchLocked(t.Context(), two, "", "", hash(t, id), opts); !errors.As(err, &gone) {
		t.Errorf("a repository has no commit of another: %v", err)
	}
}

func files(t testing.TB, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCacheEveryByte changes each byte of a cached commit, and cuts it at each: the package is always
// the commit's, from the cache or from the repository, and the cache is good again afterwards.
func TestCacheEveryByte(t *testing.T) {
	testenv.Long(t, "every byte of a cache is damaged")
	dir, store := gittest.NewBare(t), t.TempDir()+"/cache"
	seed(t, dir, map[string]string{"pkg/a": "1", "other": "x"})
	want := fetch(t, dir, "pkg", "main", cached(t, store))
	entry := files(t, store)[0]
	good := readFile(t, entry)
	spoil := func(reason string, bad []byte) bool {
		if err := os.WriteFile(entry, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		f := fetch(t, dir, "pkg", "main", cached(t, store))
		if diff := cmp.Diff(text(want.Tree), text(f.Tree)); diff != "" || f.DirID != want.DirID || f.Commit != want.Commit {
			t.Fatalf("%s (-want +got):\n%s", reason, diff)
		}
		if !f.Cached && !cmp.Equal(readFile(t, entry), good) {
			t.Fatalf("%s: the entry stays spoilt", reason)
		}
		return f.Cached
	}
	believed := 0
	for i := range good {
		bad := append([]byte{}, good...)
		bad[i] ^= 1
		if spoil(fmt.Sprintf("byte %d changed", i), bad) {
			believed++
		}
	}
	if most := len("x") + 37 + 8; believed > most { // the other file and its line, and high bytes of the count
		t.Errorf("%d bytes of %d do not count, at most %d may: those of files that are not read", believed, len(good), most)
	}
	for i := 0; i < len(good); i += 7 {
		spoil(fmt.Sprintf("cut to %d bytes", i), good[:i])
	}
}

func TestCacheIsPrivate(t *testing.T) {
	dir, store := gittest.NewBare(t), t.TempDir()+"/cache"
	seed(t, dir, map[string]string{"a": "1"})
	url := strings.Replace(gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret")), "http://", "http://me:s3cret@", 1)
	fetch(t, url, "", "main", cached(t, store))
	all := files(t, store)
	if len(all) != 1 {
		t.Fatalf("one commit is one file: %v", all)
	}
	for _, p := range all {
		if s := p + string(readFile(t, p)); strings.Contains(s, "s3cret") || strings.Contains(s, "127.0.0.1") {
			t.Errorf("%s shows where it came from: %q", p, s)
		}
		for q, want := range map[string]fs.FileMode{p: 0o600, filepath.Dir(p): 0o700, store: 0o700} {
			if info, err := os.Stat(q); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v, want %v (%v)", q, info.Mode().Perm(), want, err)
			}
		}
	}
}

func TestCacheOpenToOthersIsNotUsed(t *testing.T) {
	dir, store := gittest.NewBare(t), t.TempDir()
	seed(t, dir, map[string]string{"a": "1"})
	if err := os.Chmod(store, 0o777); err != nil {
		t.Fatal(err)
	}
	var told []error
	opts := gitrepo.Options{Cache: gitrepo.NewCache(store, 0, func(err error) { told = append(told, err) })}
	for range 2 {
		if f := fetch(t, dir, "", "main", opts); f.Cached || text(f.Tree)["a"] != "1" {
			t.Error("a folder that others may write to is used")
		}
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "others may write to it") {
		t.Errorf("it is said once: %v", told)
	}
}

func TestCacheLimit(t *testing.T) {
	dir, store := gittest.NewBare(t), t.TempDir()+"/cache"
	const limit = 20_000
	opts := gitrepo.Options{Cache: gitrepo.NewCache(store, limit, func(err error) { t.Error(err) })}
	held := func() (n int64) {
		for _, p := range files(t, store) {
			n += int64(len(readFile(t, p)))
		}
		return n
	}
	for i := range 12 {
		seed(t, dir, map[string]string{"a": strings.Repeat(fmt.Sprint(i%10), 3000)})
		fetch(t, dir, "", "main", opts)
		if n := held(); n > limit || n == 0 {
			t.Fatalf("after %d commits the cache holds %d bytes", i+1, n)
		}
	}
	if f := fetch(t, dir, "", "main", opts); !f.Cached {
		t.Error("the last commit stays")
	}
	seed(t, dir, map[string]string{"a": strings.Repeat("x", limit/4)})
	before := held()
	fetch(t, dir, "", "main", opts)
	if f := fetch(t, dir, "", "main", opts); f.Cached || held() != before {
		t.Error("a commit that would push out the others is kept")
	}
}
