package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestAtGone reads a folder that the work tree does not have any more.
func TestAtGone(t *testing.T) {
	root := repository(t)
	r := at(t, filepath.Join(root, "late", "deep", ".."))
	if r.Prefix != "late" || r.Root != root {
		t.Errorf("%v", r)
	}
	tree, err := r.Files(t.Context(), resolve(t, r, "side"), snapshot.Known{}, pkgtree.Limits{})
	if data, _ := tree.Get("c.yaml"); err != nil || string(data) != "side" {
		t.Errorf("%q, %v", data, err)
	}
}

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"

// TestWorkTree reads the work tree as git takes it.
func TestWorkTree(t *testing.T) {
	cases := map[string]struct {
		reason string
		do     func(t *testing.T, root string)
		same   bool              // as the commit
		want   map[string]string // but for these; "" for what is not there
	}{
		"Same": {"nothing has changed", func(*testing.T, string) {}, true, nil},
		"Changed": {"files that have changed, are new, or are gone", func(t *testing.T, root string) {
			write(t, root, "pkg/a.yaml", "three")
			write(t, root, "pkg/new.yaml", "new")
			gittest.Git(t, root, "rm", "--quiet", "pkg/same.yaml")
			if err := os.Remove(filepath.Join(root, "pkg", "deep", "b.yaml")); err != nil {
				t.Fatal(err)
			}
		}, false, map[string]string{"a.yaml": "three", "new.yaml": "new", "same.yaml": "", "deep/b.yaml": ""}},
		"Staged": {"what is staged and changed again is what lies there", func(t *testing.T, root string) {
			write(t, root, "pkg/a.yaml", "staged")
			gittest.Git(t, root, "add", "--all")
			write(t, root, "pkg/a.yaml", "again")
		}, false, map[string]string{"a.yaml": "again"}},
		"Sparse": {"a sparse checkout", func(t *testing.T, root string) {
			gittest.Git(t, root, "sparse-checkout", "set", "--no-cone", "/pkg/a.yaml")
			if _, err := os.Stat(filepath.Join(root, "pkg", "same.yaml")); err == nil {
				t.Fatal("this git leaves files there: Git 2.36 and later do not")
			}
		}, true, nil},
		"Hidden": {"marked as unchanged", func(t *testing.T, root string) {
			gittest.Git(t, root, "update-index", "--skip-worktree", "pkg/a.yaml")
			gittest.Git(t, root, "update-index", "--assume-unchanged", "pkg/same.yaml")
			write(t, root, "pkg/a.yaml", "mine")
			write(t, root, "pkg/same.yaml", "mine")
		}, false, map[string]string{"a.yaml": "mine", "same.yaml": "mine"}},
		"Filter": {"a filter that changes what lies on disk", func(t *testing.T, root string) {
			gittest.Config(t, root, "filter.loud.smudge=sed s/two/TWO/")
			gittest.Config(t, root, "filter.loud.clean=sed s/TWO/two/")
			write(t, root, ".gitattributes", "*.yaml filter=loud\n")
			checkoutAgain(t, root, "TWO")
		}, true, nil},
		"FilterChanged": {"and a file that has changed besides", func(t *testing.T, root string) {
			gittest.Config(t, root, "filter.loud.smudge=sed s/two/TWO/")
			gittest.Config(t, root, "filter.loud.clean=sed s/TWO/two/")
			write(t, root, ".gitattributes", "*.yaml filter=loud\n")
			checkoutAgain(t, root, "TWO")
			write(t, root, "pkg/a.yaml", "THREE")
		}, false, map[string]string{"a.yaml": "THREE"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			tc.do(t, root)
			want := map[string]string{}
			if tc.same || tc.want != nil {
				want = map[string]string{"a.yaml": "two", "deep/b.yaml": "one", "same.yaml": "same", "pro gram.yaml": "#!\n"}
			}
			for name, text := range tc.want {
				if want[name] = text; text == "" {
					delete(want, name)
				}
			}
			if diff := cmp.Diff(want, workTree(t, root)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// checkoutAgain has git write pkg/a.yaml through its filters.
func checkoutAgain(t *testing.T, root, want string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, "pkg", "a.yaml")); err != nil {
		t.Fatal(err)
	}
	gittest.Git(t, root, "checkout", "--", "pkg/a.yaml")
	if data, err := os.ReadFile(filepath.Join(root, "pkg", "a.yaml")); err != nil || string(data) != want {
		t.Fatalf("the filter does not work: %q, %v", data, err)
	}
}

func workTree(t *testing.T, root string) map[string]string {
	t.Helper()
	r := at(t, filepath.Join(root, "pkg"))
	limits := pkgtree.Limits{Only: func(name string) bool { return strings.HasSuffix(name, ".yaml") }}
	disk, err := pkgtree.ReadDir(filepath.Join(root, "pkg"), limits)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.WorkTree(t.Context(), disk, snapshot.Known{}, limits)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for p, b := range tree.All() {
		got[p] = string(b.Data())
	}
	return got
}

// TestWorkTreePointer reads a file of which a pointer is committed: both sides have what lies on disk.
func TestWorkTreePointer(t *testing.T) {
	root := repository(t)
	gittest.Config(t, root, "filter.lfs.smudge=echo large")
	gittest.Config(t, root, "filter.lfs.clean=printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:00\\nsize 1\\n'")
	write(t, root, ".gitattributes", "large.yaml filter=lfs\n")
	write(t, root, "pkg/large.yaml", "large\n")
	gittest.Git(t, root, "add", "--all")
	gittest.Git(t, root, "commit", "--quiet", "--message", "large")
	r, known := at(t, filepath.Join(root, "pkg")), snapshot.Known{}
	disk, err := pkgtree.ReadDir(filepath.Join(root, "pkg"), pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []snapshot.Known{known, {}} {
		tree, err := r.WorkTree(t.Context(), disk, known, pkgtree.Limits{})
		if data, _ := tree.Get("large.yaml"); err != nil || string(data) != "large\n" {
			t.Errorf("%q, %v", data, err)
		}
	}
	for want, known := range map[string]snapshot.Known{"large\n": known, pointer: {}} {
		tree, err := r.Files(t.Context(), resolve(t, r, "HEAD"), known, pkgtree.Limits{})
		if data, _ := tree.Get("large.yaml"); err != nil || string(data) != want {
			t.Errorf("%q, want %q, %v", data, want, err)
		}
	}
}

// TestWorkTreeSubmodule leaves a submodule out, as commits do.
func TestWorkTreeSubmodule(t *testing.T) {
	root, other := repository(t), repository(t)
	gittest.Git(t, root, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", other, "pkg/sub")
	gittest.Git(t, root, "commit", "--quiet", "--message", "sub")
	if got := workTree(t, root); len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestNoCommits(t *testing.T) {
	testenv.Need(t, testenv.Git)
	root := t.TempDir()
	gittest.Git(t, root, "init", "--quiet")
	if _, err := at(t, root).Resolve(t.Context(), "HEAD"); err == nil || !strings.Contains(err.Error(), "nor any other yet; commit something first") {
		t.Errorf("%v", err)
	}
}

// TestPartialClone says how to get what a clone does not have.
func TestPartialClone(t *testing.T) {
	root, clone := repository(t), filepath.Join(t.TempDir(), "clone")
	gittest.Config(t, root, "uploadpack.allowFilter=true")
	gittest.Git(t, root, "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://"+root, clone)
	r := at(t, clone)
	var partial *snapshot.PartialError
	if _, err := r.Files(t.Context(), resolve(t, r, "HEAD"), snapshot.Known{}, pkgtree.Limits{}); !errors.As(err, &partial) || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
		t.Fatalf("%v", err)
	}
	gittest.Git(t, clone, "fetch", "--quiet", "--refetch", "--no-filter")
	if _, err := r.Files(t.Context(), resolve(t, r, "HEAD"), snapshot.Known{}, pkgtree.Limits{}); err != nil {
		t.Errorf("the advice does not help: %v", err)
	}
}
