package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestFleetPreviewStale commits a work as an earlier release wrote it: rendering both sides makes them the same, and what clusters
// get with the next render is told all the same.
func TestFleetPreviewStale(t *testing.T) {
	root := previewRepo(t)
	shop := filepath.Join(root, "shop")
	const says = " differ from what this version of waybill renders from the package, for example clusters/"
	t.Chdir(shop)
	if r := mustRun(t, "fleet", "preview", "HEAD~1..HEAD"); r.stderr != "" {
		t.Errorf("what was rendered is what clusters have: %s", r.stderr)
	}
	mustRun(t, "fn", "render", ".")
	file := "clusters/b/shop/manifestwork-0.yaml"
	now := readText(t, file)
	old, _, found := strings.Cut(now, "  manifestConfigs:\n")
	if !found {
		t.Fatalf("the work has no manifestConfigs:\n%s", now)
	}
	writeFile(t, file, old, 0o644)
	commitAll(t, root, "an earlier release")
	for _, state := range []string{"before it is rendered", "after"} {
		r := mustRun(t, "fleet", "preview")
		if want := "warning: before, HEAD: 1 of 3 generated works" + says + "b/shop/manifestwork-0.yaml;"; !strings.Contains(r.stderr, want) {
			t.Errorf("%s: stderr: %swant: %s", state, r.stderr, want)
		}
		if !strings.Contains(r.stdout, "Nothing changes") {
			t.Errorf("%s: both sides are rendered:\n%s", state, r.stdout)
		}
		if r := runCLI(t, "fleet", "preview", "--exit-code"); r.code != exitFailed {
			t.Errorf("%s: exit code %d: something changes for clusters", state, r.code)
		}
		if r := runCLI(t, "fleet", "preview", "--max-deletions", "0"); r.code != exitRefused || !strings.Contains(r.stderr, "cannot be counted") {
			t.Errorf("%s: exit code %d: the comparison does not say what is deleted:\n%s", state, r.code, r.stderr)
		}
		mustRun(t, "fn", "render", ".")
	}
	r := mustRun(t, "fleet", "preview", "--no-render")
	if r.stderr != "" || !strings.Contains(r.stdout, "how objects are applied changes") {
		t.Errorf("what is committed against what is rendered: %s\n%s", r.stdout, r.stderr)
	}
	commitAll(t, root, "rendered")
	if r := mustRun(t, "fleet", "preview"); r.stderr != "" {
		t.Errorf("it is committed: %s", r.stderr)
	}
}

// TestFleetPreviewByHand changes generated works by hand: rendering both sides makes them whole again, and what a commit takes from
// clusters is told all the same.
func TestFleetPreviewByHand(t *testing.T) {
	root := previewRepo(t)
	shop, file := filepath.Join(root, "shop"), filepath.Join("clusters", "b", "shop", "manifestwork-0.yaml")
	t.Chdir(shop)
	mustRun(t, "fn", "render", ".")
	commitAll(t, root, "rendered")
	work, inventory := readText(t, file), readText(t, "clusters.yaml")
	for name, tc := range map[string]struct {
		change func()
		want   string
	}{
		"a work is removed":     {func() { removeAll(t, file) }, "after, HEAD: 2 objects were removed by hand"},
		"all works are removed": {func() { removeAll(t, "clusters") }, "after, HEAD: 6 objects"},
		"an object is cut out":  {func() { writeFile(t, file, withoutSecret(t, work), 0o644) }, "after, HEAD: 1 objects"},
		"a work is emptied":     {func() { writeFile(t, file, "# gone\n", 0o644) }, "after, HEAD: 2 objects"},
		"the package moves, and loses one": {func() {
			removeAll(t, file)
			gittest.Git(t, root, "mv", "shop/app", "shop/moved")
		}, "after, HEAD: 2 objects"},
		"the package is edited": {func() { rewrite(t, "app/web.yaml", "web:1", "web:2") }, ""},
		"rendered, and edited once more": {func() {
			rewrite(t, "app/web.yaml", "web:1", "web:2")
			mustRun(t, "fn", "render", ".")
			rewrite(t, "app/web.yaml", "web:2", "web:3")
		}, ""},
		"its cluster goes, too": {func() { removeAll(t, file); writeFile(t, "clusters.yaml", previewClusters("a", "c"), 0o644) }, ""},
		"a cluster comes":       {func() { writeFile(t, "clusters.yaml", inventory+"---\n"+previewClusters("d"), 0o644) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tc.change()
			commitAll(t, root, name)
			defer gittest.Git(t, root, "reset", "--quiet", "--hard", "HEAD~1")
			r := mustRun(t, "fleet", "preview", "HEAD~1..HEAD")
			if tc.want == "" && r.stderr != "" || !strings.Contains(r.stderr, tc.want) {
				t.Errorf("stderr: %swant: %s", r.stderr, tc.want)
			}
			if r := runCLI(t, "fleet", "preview", "HEAD~1..HEAD", "--max-deletions", "1000"); (r.code == exitRefused) != (tc.want != "") {
				t.Errorf("under a limit: exit code %d: %s", r.code, r.stderr)
			}
			if r := runCLI(t, "fleet", "preview", "HEAD~1..HEAD", "--exit-code"); r.code != exitFailed {
				t.Errorf("exit code %d: something changes for clusters", r.code)
			}
		})
	}
}

// TestFleetPreviewStaleInPart warns of works that are to come in a package that has some, not of packages that were never rendered,
// nor of those that a what if would change.
func TestFleetPreviewStaleInPart(t *testing.T) {
	root := previewRepo(t)
	t.Chdir(root)
	mustRun(t, "fn", "render", "shop")
	gittest.Git(t, root, "clean", "--quiet", "-dfx")
	if err := os.CopyFS("blueprint", os.DirFS("shop")); err != nil {
		t.Fatal(err)
	}
	removeAll(t, filepath.Join("blueprint", "clusters"))
	removeAll(t, filepath.Join("blueprint", "bindings"))
	commitAll(t, root, "a package that nobody renders beside one that is rendered")
	for _, args := range [][]string{{"fleet", "preview"}, {"fleet", "preview", "--without-cluster", "b", "shop"}, {"fleet", "preview", "HEAD..", "--cluster-label", "b=site=x"}} {
		if r := mustRun(t, args...); strings.Contains(r.stderr, "generated works") {
			t.Errorf("%v: %s", args, r.stderr)
		}
	}
	writeFile(t, "shop/clusters.yaml", readText(t, "shop/clusters.yaml")+"---\n"+previewClusters("d"), 0o644)
	commitAll(t, root, "a cluster joins, and nothing is rendered")
	if r := mustRun(t, "fleet", "preview"); !strings.Contains(r.stderr, "before, HEAD: 1 of 4 generated works differ") {
		t.Errorf("a work is to come: %s", r.stderr)
	}
}

// withoutSecret is a work without the manifest of its Secret, the first of two.
func withoutSecret(t *testing.T, work string) string {
	t.Helper()
	head, rest, _ := strings.Cut(work, "    manifests:\n")
	_, tail, found := strings.Cut(rest, "    - apiVersion: apps/v1\n")
	if !found {
		t.Fatalf("other manifests than were expected:\n%s", work)
	}
	return head + "    manifests:\n    - apiVersion: apps/v1\n" + tail
}

func removeAll(t *testing.T, file string) {
	t.Helper()
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
}

// TestFleetPreviewLinks compares commits with a symbolic link in the place of a file, which a render refuses, and the way out of it.
func TestFleetPreviewLinks(t *testing.T) {
	root := previewRepo(t)
	t.Chdir(filepath.Join(root, "shop"))
	if err := os.Rename("app/web.yaml", "web.txt"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../web.txt", "app/web.yaml"); err != nil {
		t.Fatal(err)
	}
	commitAll(t, root, "a link")
	if r := runCLI(t, "fleet", "preview", "HEAD~1..HEAD"); r.code != exitFailed || !strings.Contains(r.stderr, "app/web.yaml: is a symbolic link") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	gittest.Git(t, root, "revert", "--no-commit", "HEAD")
	commitAll(t, root, "no link")
	if r := mustRun(t, "fleet", "preview", "HEAD~2..HEAD"); !strings.Contains(r.stdout, "Nothing changes") {
		t.Errorf("stdout: %s", r.stdout)
	}
	mustRun(t, "fleet", "preview", "HEAD~1..HEAD", "--no-render")
}
