package snapshot_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// repository has two commits on main, and one on branch side that left main after the first. What is in its packages is
// the name of the commit.
func repository(t *testing.T) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	gittest.Git(t, root, "init", "--quiet", "--initial-branch=main")
	gittest.Config(t, root, "user.name=T")
	gittest.Config(t, root, "user.email=t@example.com")
	commit := func(text string, files ...string) {
		for _, name := range files {
			write(t, root, name, text)
		}
		gittest.Git(t, root, "add", "--all")
		gittest.Git(t, root, "commit", "--quiet", "--message", text)
	}
	write(t, root, "pkg/same.yaml", "same")
	write(t, root, "pkg/pro gram.yaml", "#!\n")
	if err := os.Symlink("same.yaml", filepath.Join(root, "pkg", "link.txt")); err != nil {
		t.Fatal(err)
	}
	commit("one", "pkg/a.yaml", "pkg/deep/b.yaml", "beside.yaml", "pkg/note.md")
	gittest.Git(t, root, "checkout", "--quiet", "-b", "side")
	commit("side", "pkg/a.yaml", "late/c.yaml")
	gittest.Git(t, root, "checkout", "--quiet", "main")
	commit("two", "pkg/a.yaml")
	return root
}

func write(t *testing.T, root, name, data string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func at(t *testing.T, dir string) *snapshot.Repository {
	t.Helper()
	r, err := snapshot.At(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resolve(t *testing.T, r *snapshot.Repository, name string) string {
	t.Helper()
	id, err := r.Resolve(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestBare reads from a repository without a work tree.
func TestBare(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare.git")
	gittest.Git(t, repository(t), "clone", "--quiet", "--bare", ".", bare)
	r := at(t, bare)
	tree, err := r.Files(t.Context(), resolve(t, r, "side"), snapshot.Known{}, pkgtree.Limits{})
	if data, _ := tree.Get("late/c.yaml"); err != nil || !r.Bare || string(data) != "side" {
		t.Errorf("%q of %v, %v", data, r, err)
	}
	var outside *snapshot.OutsideError
	if _, err := snapshot.At(t.Context(), filepath.Join(bare, "objects")); !errors.As(err, &outside) {
		t.Errorf("a folder of the repository is none of its commits: %v", err)
	}
}

func TestMergeBase(t *testing.T) {
	r := at(t, repository(t))
	got, err := r.MergeBase(t.Context(), resolve(t, r, "main"), resolve(t, r, "side"))
	if err != nil || got != resolve(t, r, "main~1") {
		t.Errorf("the two left each other at %s, %v", got, err)
	}
	gittest.Git(t, r.Root, "checkout", "--quiet", "--orphan", "other")
	gittest.Git(t, r.Root, "commit", "--quiet", "--message", "other")
	if _, err := r.MergeBase(t.Context(), resolve(t, r, "main"), resolve(t, r, "other")); err == nil || !strings.Contains(err.Error(), "have no ancestor in common") {
		t.Errorf("two without an ancestor: %v", err)
	}
}

func TestFaults(t *testing.T) {
	root := repository(t)
	r := at(t, filepath.Join(root, "pkg"))
	head := resolve(t, r, "HEAD")
	for _, name := range []string{"nobody", "--output=x", "", "HEAD:pkg", "HEAD\nmain", strings.Repeat("0", 40)} {
		if id, err := r.Resolve(t.Context(), name); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is %s, %v", name, id, err)
		}
	}
	var none *snapshot.NoFolderError
	write(t, root, "new/x.yaml", "x")
	if _, err := at(t, filepath.Join(root, "new")).Files(t.Context(), head, snapshot.Known{}, pkgtree.Limits{}); !errors.As(err, &none) || none.Dir != "new" {
		t.Errorf("a folder that is not committed: %v", err)
	}
	if _, err := r.Files(t.Context(), head, snapshot.Known{}, pkgtree.Limits{Files: 1}); err == nil || !strings.Contains(err.Error(), "larger than 1 files") {
		t.Errorf("too many files: %v", err)
	}
	if _, err := r.Files(t.Context(), head, snapshot.Known{}, pkgtree.Limits{Bytes: 3}); err == nil || !strings.Contains(err.Error(), "or 3 bytes") {
		t.Errorf("too many bytes: %v", err)
	}
	var outside *snapshot.OutsideError
	if _, err := snapshot.At(t.Context(), t.TempDir()); !errors.As(err, &outside) {
		t.Errorf("a folder in no work tree: %v", err)
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "nowhere"), filepath.Join(root, ".git", "nowhere"), filepath.Join(root, "beside.yaml")} {
		if _, err := snapshot.At(t.Context(), dir); err == nil || errors.As(err, &outside) {
			t.Errorf("%s is no folder: %v", dir, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Files(ctx, head, snapshot.Known{}, pkgtree.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}
