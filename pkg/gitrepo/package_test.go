package gitrepo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// text shows a Tree as path → bytes.
func text(tree pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tree.All() {
		out[p] = string(b.Data())
	}
	return out
}

func tree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	bytes := map[string][]byte{}
	for p, s := range files {
		bytes[p] = []byte(s)
	}
	out, err := pkgtree.New(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// cacheinfo commits one entry of any mode on top of main, by way of an index of its own.
func cacheinfo(t testing.TB, dir, mode, object, at string) {
	t.Helper()
	gittest.Git(t, dir, "read-tree", "main")
	gittest.Git(t, dir, "update-index", "--add", "--cacheinfo", mode+","+object+","+at)
	id := gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit-tree", "-m", "m", "-p", "main", gittest.Git(t, dir, "write-tree"))
	gittest.Git(t, dir, "update-ref", "refs/heads/main", id)
}

func TestPackage(t *testing.T) {
	files := map[string]string{"net/upf/Kptfile": "k", "net/upf/a-b": "1", "net/upf/a/c.yaml": "22", "net/upf/a0": "", "top": "x"}
	for name, tc := range map[string]struct {
		reason string
		mode   string // of one more entry at net/upf/odd, when set
		dir    string
		limits pkgtree.Limits
		want   map[string]string
		err    string
	}{
		"package":    {reason: "a directory comes with paths relative to it", dir: "net/upf", want: map[string]string{"Kptfile": "k", "a-b": "1", "a/c.yaml": "22", "a0": ""}},
		"root":       {reason: "the root is a directory too", dir: "", want: files},
		"executable": {reason: "a mode is no part of a package", mode: "100755", dir: "net/upf", want: map[string]string{"Kptfile": "k", "a-b": "1", "a/c.yaml": "22", "a0": "", "odd": "k"}},
		"symlink":    {reason: "a link is refused by name", mode: "120000", dir: "net/upf", err: `odd: a package cannot hold a symbolic link`},
		"submodule":  {reason: "so is a submodule", mode: "160000", dir: "net", err: `upf/odd: a package cannot hold a submodule`},
		"missing":    {reason: "a directory that is not there is a DirError", dir: "net/smf", err: `has no directory "net/smf"`},
		"file":       {reason: "a file is no directory", dir: "top", err: `has no directory "top"`},
		"files":      {reason: "the number of files is bounded", dir: "net/upf", limits: pkgtree.Limits{Files: 3}, err: "more than 3 files and directories"},
		"bytes":      {reason: "so are the bytes", dir: "net/upf", limits: pkgtree.Limits{Bytes: 3}, err: "more than 3 bytes in all"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			seed(t, dir, files)
			if tc.mode != "" {
				object := gittest.Git(t, dir, "rev-parse", "main:net/upf/Kptfile")
				if tc.mode == "160000" {
					object = gittest.Git(t, dir, "rev-parse", "main")
				}
				cacheinfo(t, dir, tc.mode, object, "net/upf/odd")
			}
			r, err := gitrepo.Open(t.Context(), dir, gitrepo.Options{Limits: tc.limits})
			if err != nil {
				t.Fatal(err)
			}
			head, err := r.Resolve("main")
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Package(head, tc.dir)
			if tc.err != "" {
				var none *gitrepo.DirError
				if err == nil || !strings.Contains(err.Error(), tc.err) || errors.As(err, &none) != strings.Contains(tc.err, "no directory") {
					t.Fatalf("%s: got error %v", tc.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, text(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestFindPackages(t *testing.T) {
	dir := gittest.NewBare(t)
	k := func(paths ...string) map[string]string {
		out := map[string]string{"README.md": "x"}
		for _, p := range paths {
			out[p] = "k"
		}
		return out
	}
	seed(t, dir, k("b/Kptfile", "b/sub/Kptfile", "a/x/Kptfile", "a/y/z/Kptfile", "a/not/Kptfile/file", "a/x.yaml", "a-z/Kptfile"))
	r := open(t, dir)
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason, dir string
		want        []string
	}{
		"all":     {reason: "the topmost directories with a Kptfile, in order", want: []string{"a-z", "a/x", "a/y/z", "b"}},
		"below":   {reason: "only those below the directory", dir: "a", want: []string{"a/x", "a/y/z"}},
		"itself":  {reason: "a package itself is its own topmost", dir: "b", want: []string{"b"}},
		"nothing": {reason: "a directory that is not there holds no packages", dir: "nope"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.FindPackages(head, tc.dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	for p, want := range map[string]bool{"README.md": true, "a/x/Kptfile": true, "a/not/Kptfile": false, "a/nope": false, "no/where": false} {
		if got, err := r.HasFile(head, p); err != nil || got != want {
			t.Errorf("HasFile(%q) = %v, %v; want %v", p, got, err, want)
		}
	}
}
