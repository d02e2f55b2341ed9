package gitrepo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// oddTree is a bare repository whose main branch holds what no package can: a program, a link, and an odd name.
func oddTree(t *testing.T) (dir string) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	dir = gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"a/file": "1\n", "a/b/other": "2\n", "top": "3\n"})})
	work := t.TempDir()
	git := func(args ...string) { gittest.Git(t, work, args...) }
	git("clone", "-q", dir, ".")
	blob := gittest.Git(t, work, "rev-parse", "HEAD:top")
	for at, mode := range map[string]string{"a/tool": "100755", "a/link": "120000", `a/back\slash`: "100644"} {
		git("update-index", "--add", "--cacheinfo", mode+","+blob+","+at)
	}
	git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "odd")
	git("push", "-q", "origin", "HEAD:main")
	return dir
}

func openAt(t *testing.T, dir string) (*gitrepo.Repo, gitrepo.Hash) {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), dir, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	head, err := repo.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	return repo, head
}

// TestChangeFiles changes files and nothing else.
func TestChangeFiles(t *testing.T) {
	dir := oddTree(t)
	one := pkgtree.NewBlob([]byte("new\n"))
	for name, c := range map[string]struct {
		files map[string]*pkgtree.Blob
		want  string // what differs, as git says it
		err   string
	}{
		"add":                  {files: map[string]*pkgtree.Blob{"b/c/new": one, "z": one}, want: "A\ta/b/c/new\nA\ta/z"},
		"replace":              {files: map[string]*pkgtree.Blob{"file": one}, want: "M\ta/file"},
		"a program stays":      {files: map[string]*pkgtree.Blob{"tool": one}, want: "M\ta/tool"},
		"take out":             {files: map[string]*pkgtree.Blob{"file": nil}, want: "D\ta/file"},
		"the last of a folder": {files: map[string]*pkgtree.Blob{"b/other": nil}, want: "D\ta/b/other"},
		"what is not there":    {files: map[string]*pkgtree.Blob{"none": nil, "no/ne": nil}},
		"the same":             {files: map[string]*pkgtree.Blob{"file": pkgtree.NewBlob([]byte("1\n"))}},
		"over a link":          {files: map[string]*pkgtree.Blob{"link": one}, err: `"a/link" is not a file`},
		"below a file":         {files: map[string]*pkgtree.Blob{"file/x": one}, err: `"a/file" is not a directory`},
		"over a folder":        {files: map[string]*pkgtree.Blob{"b": one}, err: `"a/b" is not a file`},
		"out of it":            {files: map[string]*pkgtree.Blob{"../../x": one}, err: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			repo, head := openAt(t, dir)
			stage := repo.Stage()
			root, err := stage.Root(head)
			if err != nil {
				t.Fatal(err)
			}
			now, err := stage.ChangeFiles(root, "a", c.files)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, pushed(t, dir, stage, head, now)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// pushed is how a commit of the tree differs from head, by git's account.
func pushed(t *testing.T, dir string, stage *gitrepo.Stage, head, tree gitrepo.Hash) string {
	t.Helper()
	who := gitrepo.Signature{Name: "a", Email: "a@example.com", When: gittest.Epoch}
	id, err := stage.Commit(gitrepo.Commit{Tree: tree, Parents: []gitrepo.Hash{head}, Author: who, Committer: who, Message: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/" + strings.ReplaceAll(strings.ToLower(t.Name()), "'", ""), New: id}}); err != nil {
		t.Fatal(err)
	}
	gittest.Fsck(t, dir)
	return gittest.Git(t, dir, "diff", "--no-renames", "--name-status", head.String(), id.String())
}

// TestFiles passes over what no package can hold.
func TestFiles(t *testing.T) {
	repo, head := openAt(t, oddTree(t))
	got, err := repo.Files(head, "a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b/other", "file", "tool"}, got.Paths()); diff != "" {
		t.Error(diff)
	}
	if got, err := repo.Files(head, "none"); err != nil || got.Len() != 0 {
		t.Errorf("got %d files, %v", got.Len(), err)
	}
}

// TestWeight counts each object once.
func TestWeight(t *testing.T) {
	dir := oddTree(t)
	repo, head := openAt(t, dir)
	known := map[gitrepo.Hash]struct{}{}
	first, err := repo.Weight(head, known)
	if err != nil || first == 0 {
		t.Fatal(first, err)
	}
	if again, err := repo.Weight(head, known); err != nil || again != 0 {
		t.Errorf("again %d, %v", again, err)
	}
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"big": strings.Repeat("x", 1000)})})
	if err := repo.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	head, _ = repo.Resolve("main")
	if more, err := repo.Weight(head, known); err != nil || more < 1000 || more > 1600 {
		t.Errorf("one more file weighs %d, %v", more, err)
	}
}
