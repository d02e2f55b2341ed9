package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestFleetPreviewNoFolder compares commits in a work tree that does not have the folder.
func TestFleetPreviewNoFolder(t *testing.T) {
	root := previewRepo(t)
	if err := os.RemoveAll(filepath.Join(root, "shop")); err != nil {
		t.Fatal(err)
	}
	if got := groupsOf(preview(t, root, "HEAD~1...HEAD", "--dir", "shop")); !cmp.Equal(got, []string{"changed Deployment web  a,b,c"}) {
		t.Errorf("%q", got)
	}
	if got := preview(t, root, "shop").Summary; len(got.Left) != 3 {
		t.Errorf("a folder that was deleted: %v", got)
	}
}

// TestFleetPreviewSparse compares HEAD with a work tree that has only some of its files.
func TestFleetPreviewSparse(t *testing.T) {
	root := previewRepo(t)
	gittest.Git(t, root, "sparse-checkout", "set", "--no-cone", "/shop/app")
	if _, err := os.Stat(filepath.Join(root, "shop", "Kptfile")); err == nil {
		t.Fatal("this git leaves files there: Git 2.36 and later do not")
	}
	if got := groupsOf(preview(t, filepath.Join(root, "shop"))); got != nil {
		t.Errorf("nothing has changed: %q", got)
	}
	rewrite(t, filepath.Join(root, "shop", "app", "web.yaml"), "replicas: 0", "replicas: 5")
	if got := groupsOf(preview(t, filepath.Join(root, "shop"))); !cmp.Equal(got, []string{"changed Deployment web  a,b,c"}) {
		t.Errorf("%q", got)
	}
}

// TestFleetPreviewPointer says what is wrong with a commit that holds a pointer.
func TestFleetPreviewPointer(t *testing.T) {
	root := previewRepo(t)
	writeFile(t, filepath.Join(root, "shop", "app", "web.yaml"), "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", 0o644)
	commitAll(t, root, "pointer")
	t.Chdir(root)
	if r := runCLI(t, "fleet", "preview", "HEAD~1..HEAD", "--dir", "shop"); r.code != exitFailed || !strings.Contains(r.stderr, `"app/web.yaml" is a pointer of Git LFS`) {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
}

// TestFleetPreviewNoCommits works before the first commit.
func TestFleetPreviewNoCommits(t *testing.T) {
	testenv.Need(t, testenv.Git)
	root := t.TempDir()
	gittest.Git(t, root, "init", "--quiet")
	t.Chdir(root)
	if r := runCLI(t, "fleet", "preview"); r.code != exitFailed || !strings.Contains(r.stderr, "commit something first, or name two folders") {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
}

// TestFleetPreviewDotFolders names files in folders whose names begin with a dot, or that lie above.
func TestFleetPreviewDotFolders(t *testing.T) {
	root := t.TempDir()
	for folder, data := range map[string]string{".x/old": "1", ".x/new": "2", "old": "1", "new": "2"} {
		writeFile(t, filepath.Join(root, folder, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n", 0o644)
		writeFile(t, filepath.Join(root, folder, "clusters/a/x.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \""+data+"\"}\n", 0o644)
	}
	for _, tc := range []struct{ from, before, after, want string }{
		{root, ".x/old", "./.x/new", ".x/new/clusters/a/x.yaml"},
		{filepath.Join(root, ".x"), "old", "../new", "../new/clusters/a/x.yaml"},
		{filepath.Join(root, "new"), "../old", ".", "clusters/a/x.yaml"},
	} {
		p := preview(t, tc.from, tc.before, tc.after)
		if len(p.Groups) != 1 || p.Groups[0].Shapes[0].File != tc.want {
			t.Errorf("%s %s: %+v, want %s", tc.before, tc.after, p.Groups, tc.want)
		}
	}
}
