package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func hostPlatform() string { return image.HostPlatform().String() }

// TestRepositoryIsAPackage fetches the repository as kpt users do and renders it: the examples are
// subpackages, and rendering changes nothing, in ours and in kpt's hands.
func TestRepositoryIsAPackage(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.Kpt)
	origin := checkout(t)
	dir := filepath.Join(t.TempDir(), "waybill")
	command(t, nil, "kpt", "pkg", "get", "file://"+origin, dir)
	fetched := readTree(t, dir)
	if fetched.Blob("examples/edge-fleet/blueprint/Kptfile") == nil {
		t.Fatal("the example is no subpackage of what kpt fetched")
	}
	waybill(t, "fn", "render", dir)
	sameTree(t, fetched, readTree(t, dir))

	testenv.Need(t, testenv.Podman)
	tag := loadImages(t)
	retag(t, dir, tag)
	fetched = readTree(t, dir)
	command(t, []string{"KPT_FN_RUNTIME=podman"}, "kpt", "fn", "render", dir, "--image-pull-policy", "Never")
	sameTree(t, fetched, readTree(t, dir))
}

// checkout makes a repository of the files of this one as they are now, committed or not.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "waybill.git")
	list := command(t, nil, "git", "-C", "../..", "ls-files", "--cached", "--others", "--exclude-standard")
	files := map[string][]byte{}
	for _, file := range strings.Split(strings.TrimSpace(list), "\n") {
		if data, err := os.ReadFile(filepath.Join("../..", file)); err == nil { // else it was deleted
			files[file] = data
		}
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	command(t, nil, "git", "init", "--quiet", "--initial-branch=main", dir)
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		t.Fatal(err)
	}
	command(t, nil, "git", "-C", dir, "add", "--all", "--force")
	command(t, nil, "git", "-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "as it is")
	return dir
}

// retag makes every Kptfile in dir name images of another tag.
func retag(t *testing.T, dir, tag string) {
	t.Helper()
	before := readTree(t, dir)
	changes := map[string][]byte{}
	for p, b := range before.All() {
		if path.Base(p) == "Kptfile" {
			changes[p] = []byte(ours.ReplaceAllStringFunc(string(b.Data()), asTag(tag)))
		}
	}
	after, err := before.Apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, before, after); err != nil {
		t.Fatal(err)
	}
}
