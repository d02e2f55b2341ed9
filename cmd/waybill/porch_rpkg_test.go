package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// rpkg runs "waybill rpkg" over the files, which must succeed.
func (f *porchFleet) rpkg(t testing.TB, step string) {
	t.Helper()
	words := strings.Fields(step)
	r := runCLI(t, append([]string{"rpkg", words[0], "-f", f.dir}, words[1:]...)...)
	if r.code != exitDone {
		t.Fatalf("rpkg %s: exit code %d\n%s%s", step, r.code, r.stdout, r.stderr)
	}
}

// taskOf is the type of the task that Porch reads from the commits of a revision.
func taskOf(t *testing.T, r porchtest.Revision) string {
	t.Helper()
	tasks, _, err := unstructured.NestedSlice(r.Object.Object, "spec", "tasks")
	if err != nil || len(tasks) == 0 {
		t.Fatalf("%s has no tasks: %v", r.Name, err)
	}
	return fmt.Sprint(tasks[0].(map[string]any)["type"])
}

// TestPorchTakesRpkgDrafts makes drafts by clone, copy, push and upgrade. A real Porch lists each with its task and content,
// proposes and approves it.
func TestPorchTakesRpkgDrafts(t *testing.T) {
	f := newPorchFleet(t)
	f.await("blueprints.shop.v1", "Published")
	const pkg = "deployments.eu.shop."
	published := func(workspace, task string, revision int64, file, want string) {
		t.Helper()
		drafted := f.await(pkg+workspace, "Draft")
		if got := taskOf(t, drafted); got != task {
			t.Errorf("Porch reads task %s of %s, want %s", got, workspace, task)
		}
		if files, _ := f.Resources(t, drafted); !strings.Contains(files[file], want) {
			t.Errorf("Porch shows %s of %s without %q:\n%s", file, workspace, want, files[file])
		}
		if r := f.publish(drafted.Name); r.Revision != revision {
			t.Errorf("%s is revision %d, want %d", workspace, r.Revision, revision)
		}
	}
	f.rpkg(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	published("one", "clone", 1, "app.yaml", "greeting: hello")

	f.rpkg(t, "copy "+pkg+"one --workspace two")
	dir := filepath.Join(t.TempDir(), "shop")
	f.rpkg(t, "pull "+pkg+"two "+dir)
	app := filepath.Join(dir, "app.yaml")
	writeFile(t, app, strings.Replace(readText(t, app), "hello", "hello\n  door: open", 1), 0o644)
	f.rpkg(t, "push "+pkg+"two "+dir)
	published("two", "edit", 2, "app.yaml", "door: open")

	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	f.rpkg(t, "upgrade "+pkg+"two --workspace three")
	published("three", "upgrade", 3, "app.yaml", "greeting: good day")
	if got := gittest.Git(t, f.deployments, "show", "main:eu/shop/app.yaml"); !strings.Contains(got, "door: open") {
		t.Errorf("the local edit is gone:\n%s", got)
	}
}

// TestPorchClonesTheSame clones one revision by waybill and by Porch, and compares the objects file by file.
func TestPorchClonesTheSame(t *testing.T) {
	f := newPorchFleet(t)
	theirs := gittest.NewBare(t)
	f.create(f.emptyRepository("theirs", theirs))
	f.await("blueprints.shop.v1", "Published")
	f.Clone(t, f.namespace, "theirs", "eu/shop", "one", "blueprints.shop.v1")
	f.rpkg(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	const branch = "drafts/eu/shop/one"
	if diff := differences(t, theirs, f.deployments, branch, "eu/shop", map[string]bool{}); diff != "" {
		t.Errorf("(-Porch +waybill):\n%s", diff)
	}
	subject := func(repo string) string { return gittest.Git(t, repo, "log", "-1", "--format=%s", branch) }
	if diff := cmp.Diff(subject(theirs), subject(f.deployments)); diff != "" {
		t.Errorf("subject (-Porch +waybill):\n%s", diff)
	}
}
