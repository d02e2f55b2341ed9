package gitrepo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// odd makes a repository with all kinds of files in the folder .x/pkg.
func odd(t *testing.T) (*gitrepo.Repo, gitrepo.Hash) {
	t.Helper()
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"README.md": "r", ".x/pkg/a": "1", ".x/pkg/d/e/f": "2", `.x/pkg/d/back\slash`: "3", ".x/pkg/.waybill-tmp-1": "4", ".x/pkg/.waybill-tmp-2/x": "5"})
	blob, here := gittest.Git(t, dir, "rev-parse", "main:README.md"), "--work-tree="+t.TempDir()
	gittest.Git(t, dir, here, "read-tree", "main")
	for _, entry := range []string{"100755," + blob + ",.x/pkg/run", "120000," + blob + ",.x/pkg/link", "160000," + gittest.Git(t, dir, "rev-parse", "main") + ",.x/pkg/module"} {
		gittest.Git(t, dir, here, "update-index", "--add", "--cacheinfo", entry)
	}
	id := gittest.Git(t, dir, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", "main", "-m", "m", gittest.Git(t, dir, "write-tree"))
	gittest.Git(t, dir, "update-ref", "refs/heads/main", id)
	r := open(t, dir)
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	return r, head
}

func TestList(t *testing.T) {
	r, head := odd(t)
	for name, tc := range map[string]struct {
		reason string
		dir    string
		want   []gitrepo.Listed
	}{
		"all kinds": {"what a package cannot hold counts, leftovers of our own do not", ".x/pkg", []gitrepo.Listed{{Path: "a"}, {Path: `d/back\slash`},
			{Path: "d/e/f"}, {Path: "link"}, {Path: "module"}, {Path: "run", Executable: true}}},
		"none": {"no such folder is no files", "x/pkg", nil},
		"file": {"nor is a file a folder", "README.md", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.List(head, tc.dir)
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%s (-want +got): %v\n%s", tc.reason, err, diff)
			}
		})
	}
	if there, err := r.HasFile(head, ".x/pkg/a"); err != nil || !there {
		t.Errorf("a file in a folder whose name begins with a dot: %v, %v", there, err)
	}
}

func TestListBounds(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/a": "1", "p/b/c": "2"})
	r, err := gitrepo.Open(t.Context(), dir, gitrepo.Options{Limits: pkgtree.Limits{Files: 2, Bytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.List(head, "p"); err == nil || !strings.Contains(err.Error(), `directory "p"`) || !strings.Contains(err.Error(), "more than 2 files and directories") {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestReplaceDirKeepsModes puts content in place of a program, of which a package does not say that it is one.
func TestReplaceDirKeepsModes(t *testing.T) {
	r, head := odd(t)
	s := r.Stage()
	root, err := s.Root(head)
	if err == nil {
		root, err = s.ReplaceDir(root, ".x/pkg", tree(t, map[string]string{"run": "new", "a/run": "a file was here", "d": "a folder was here", "link": "a link was here", "module": "a module was here"}))
	}
	if err != nil {
		t.Fatal(err)
	}
	next := commit(t, s, root, head)
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/main", Old: head, New: next}}); err != nil {
		t.Fatal(err)
	}
	got := gittest.Git(t, r.URL(), "ls-tree", "-r", "--format=%(objectmode) %(path)", "main", ".x")
	if want := "100644 .x/pkg/a/run\n100644 .x/pkg/d\n100644 .x/pkg/link\n100644 .x/pkg/module\n100755 .x/pkg/run"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
