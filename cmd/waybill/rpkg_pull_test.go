package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// pullFleet is a repository with a draft of several files.
func pullFleet(t *testing.T) rpkgFleet {
	t.Helper()
	fleet := newRpkgFleet(t)
	gittest.Commit(t, fleet.repo, gittest.Change{Branch: "drafts/eu/web/one", Files: gittest.Files(map[string]string{
		"eu/web/README.md": "# web\n", "eu/web/conf/app.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: # kept\n  name: app\n",
	})})
	return fleet
}

// TestRpkgPull writes a revision's files, all of them and as they are, to a folder that was not there.
func TestRpkgPull(t *testing.T) {
	fleet := pullFleet(t)
	t.Chdir(t.TempDir())
	want := map[string]string{"Kptfile": rpkgKptfile, "README.md": "# web\n", "conf/app.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: # kept\n  name: app\n"}
	if err := os.Mkdir("there", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ arg, dir string }{{"", "web"}, {" new", "new"}, {" there", "there/web"}} {
		r := runRpkg(t, fleet, "pull deployments.eu.web.one"+tc.arg)
		if r.code != exitDone || r.stderr != "" || r.stdout != "deployments.eu.web.one pulled into "+filepath.FromSlash(tc.dir)+"\n" {
			t.Fatalf("pull%s: exit code %d, stdout %q, stderr %q", tc.arg, r.code, r.stdout, r.stderr)
		}
		got := map[string]string{}
		for file := range want {
			data, err := os.ReadFile(filepath.Join(tc.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			got[file] = string(data)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("files of %s (-want +got):\n%s", tc.dir, diff)
		}
	}
	before := snapshot(t, ".")
	for arg, says := range map[string]string{
		"":               `pull deployments.eu.web.one: destination directory "web" already exists`,
		" there":         `destination directory "there/web" already exists`,
		" web/README.md": `destination "web/README.md" must be a directory`,
		" none/new":      `parent directory "none" does not exist`,
		" web -o stdout": `use either DIR or --output`,
		" -o json":       `--output "json": want stdout or unwrap`,
	} {
		r := runRpkg(t, fleet, "pull deployments.eu.web.one"+arg)
		if r.code == exitDone || r.stdout != "" || !strings.Contains(r.stderr, says) {
			t.Errorf("pull%s: exit code %d, stdout %q, stderr %q", arg, r.code, r.stdout, r.stderr)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
		t.Errorf("something was written over (-before +after):\n%s", diff)
	}
}

// TestRpkgPullPrints gives a revision's resources to a pipe, from which sink makes the same files.
func TestRpkgPullPrints(t *testing.T) {
	fleet := pullFleet(t)
	t.Chdir(t.TempDir())
	list := runRpkg(t, fleet, "pull deployments.eu.web.one -")
	if list.code != exitDone || list.stdout != runRpkg(t, fleet, "pull deployments.eu.web.one -o stdout").stdout {
		t.Fatalf("- is -o stdout; exit code %d, stderr %q", list.code, list.stderr)
	}
	if r := runCLIOn(t, list.stdout, "fn", "sink", "web"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	app, err := os.ReadFile("web/conf/app.yaml")
	if err != nil || string(app) != "apiVersion: v1\nkind: ConfigMap\nmetadata: # kept\n  name: app\n" {
		t.Errorf("sink wrote %q (%v)", app, err)
	}
	if r := runRpkg(t, fleet, "pull deployments.eu.web.one web-2"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	if want := runCLI(t, "fn", "source", "web-2").stdout; list.stdout != want {
		t.Errorf("a revision is printed as its files would be (-files +revision):\n%s", cmp.Diff(want, list.stdout))
	}
	if got, want := runRpkg(t, fleet, "pull deployments.eu.web.one -o unwrap").stdout, runCLI(t, "fn", "source", "web-2", "-o", "unwrap").stdout; got != want || got == "" {
		t.Errorf("unwrapped (-files +revision):\n%s", cmp.Diff(want, got))
	}
}
