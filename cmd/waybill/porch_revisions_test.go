package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// twoStores are two fleets of one blueprint: the revisions of one are in a real Porch, those of the other in Git alone.
type twoStores struct {
	*porchFleet
	inGit       string // files of the fleet in Git
	deployments string // its repository
}

func newTwoStores(t *testing.T) *twoStores {
	t.Helper()
	f := &twoStores{porchFleet: newPorchFleetAlone(t), inGit: t.TempDir(), deployments: gittest.NewBare(t)}
	gittest.Commit(t, f.deployments, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "the fleet\n"})})
	text := ""
	for name, url := range map[string]string{"blueprints": f.get("repository/blueprints", "{.spec.git.repo}"), "deployments": gittest.NewHTTP(t, f.deployments)} {
		text += fmt.Sprintf("---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: %s, namespace: fleet}\n"+
			"spec: {type: git, deployment: %t, git: {repo: %q}}\n", name, name == "deployments", url)
	}
	writeFile(t, filepath.Join(f.inGit, "repositories.yaml"), text, 0o644)
	writeFile(t, filepath.Join(f.inGit, "lyon.yaml"), porchContext, 0o644)
	f.AwaitReady(t, "fleet", "blueprints")
	f.AwaitReady(t, "fleet", "deployments")
	return f
}

// both reconciles a variant in both fleets, which must say the same.
func (f *twoStores) both(variant, want string) {
	f.Helper()
	f.write("eu.yaml", variant)
	writeFile(f, filepath.Join(f.inGit, "eu.yaml"), variant, 0o644)
	for _, args := range [][]string{{"-f", f.inGit}, {"-f", f.dir, "--revisions", "porch", "--kubeconfig", f.Kubeconfig(f, f.Admin())}} {
		r := runCLI(f, append([]string{"reconcile"}, args...)...)
		if r.code != exitDone || !strings.Contains(collapseSpaces(r.stdout), want) {
			f.Fatalf("reconcile %v: want %q, got exit code %d\n%s%s", args, want, r.code, r.stdout, r.stderr)
		}
	}
}

// rpkg runs a command over the fleet in Git.
func (f *twoStores) rpkg(args ...string) {
	f.Helper()
	if r := runCLI(f, append([]string{"rpkg", "-f", f.inGit}, args...)...); r.code != exitDone {
		f.Fatalf("rpkg %v: exit code %d\n%s%s", args, r.code, r.stdout, r.stderr)
	}
}

// same compares the objects of a revision in both stores, file by file.
func (f *twoStores) same(reason, name, branch string) porchtest.Revision {
	f.Helper()
	revs, err := f.Revisions(f, "fleet")
	if err != nil {
		f.Fatal(err)
	}
	rev, ok := revs[name]
	if !ok {
		f.Fatalf("%s: Porch does not list %s", reason, name)
	}
	files, _ := f.Resources(f, rev)
	inGit := map[string]string{}
	for file := range strings.FieldsSeq(gittest.Git(f, f.deployments, "ls-tree", "-r", "--name-only", branch, "eu/shop/")) {
		inGit[strings.TrimPrefix(file, "eu/shop/")] = gittest.Git(f, f.deployments, "show", branch+":"+file)
	}
	if diff := cmp.Diff(meaningsOf(f, inGit), meaningsOf(f, files)); diff != "" {
		f.Errorf("%s: the files differ (-Git +Porch):\n%s", reason, diff)
	}
	return rev
}

// meaningsOf are objects by file, without what docs/controller.md allows to differ: how YAML is laid out, and the status of the Kptfile.
func meaningsOf(t testing.TB, files map[string]string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for name, text := range files {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "Kptfile" {
			withoutRendered(o)
		}
		out[name] = o
	}
	return out
}

// withoutRendered removes the condition that Porch appends.
func withoutRendered(kptfile map[string]any) {
	conditions, _, _ := unstructured.NestedSlice(kptfile, "status", "conditions")
	conditions = slices.DeleteFunc(conditions, func(c any) bool {
		m, _ := c.(map[string]any)
		return m["type"] == "Rendered"
	})
	withoutField(kptfile, "status")
	if len(conditions) > 0 {
		kptfile["status"] = map[string]any{"conditions": conditions}
	}
}

// TestPorchRevisions has waybill reconcile one variant in Git and one through a real Porch. They say the same and make the same
// files, from the first draft to its deletion, with edits and approvals by people between.
func TestPorchRevisions(t *testing.T) {
	f := newTwoStores(t)
	const first, second = "deployments.eu.shop.packagevariant-1", "deployments.eu.shop.packagevariant-2"
	f.both(porchVariant, "fleet/eu created "+first)
	f.same("a draft", first, "drafts/eu/shop/packagevariant-1")
	f.both(porchVariant, "fleet/eu unchanged")

	labelled := porchVariant + "  labels: {team: ran}\n  pipeline: {mutators: [{name: ns, image: gcr.io/kpt-fn/set-namespace:v0.4.1, configMap: {namespace: eu}}]}\n"
	f.both(labelled, "fleet/eu updated "+first)
	f.same("an updated draft", first, "drafts/eu/shop/packagevariant-1")
	f.both(labelled, "fleet/eu unchanged")

	f.Edit(t, f.Await(t, "fleet", first, "Draft"), "app.yaml", "hello", "hello\n  door: open")
	f.publish(first)
	f.editInGit("packagevariant-1")
	f.rpkg("propose", first)
	f.rpkg("approve", first)
	if rev := f.same("what people edited and approved", first, "main"); rev.Revision != 1 {
		t.Errorf("it is revision %d", rev.Revision)
	}
	f.both(labelled, "fleet/eu unchanged")

	text := strings.Replace(porchApp, "hello", "hello\n  closes: late", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	if _, err := f.Revisions(t, "fleet"); err != nil {
		t.Fatal(err)
	}
	f.Await(t, "fleet", "blueprints.shop.v2", "Published")
	upgraded := strings.Replace(labelled, "revision: 1", "revision: 2", 1)
	f.both(upgraded, "fleet/eu created "+second)
	rev := f.same("an upgrade that keeps edits", second, "drafts/eu/shop/packagevariant-2")
	if files, _ := f.Resources(t, rev); !strings.Contains(files["app.yaml"], "door: open") || !strings.Contains(files["app.yaml"], "closes: late") {
		t.Errorf("upstream's change and the edit are both there; got\n%s", files["app.yaml"])
	}
	if rev.Object.GetLabels()["team"] != "ran" {
		t.Errorf("Porch's users can select it by the labels of its variant; it has %v", rev.Object.GetLabels())
	}
	f.both(upgraded, "fleet/eu unchanged")

	deleted := strings.Replace(upgraded, "namespace: fleet}", "namespace: fleet, deletionTimestamp: 2026-01-01T00:00:00Z}", 1)
	f.both(deleted, second+" deleted")
	f.Await(t, "fleet", first, "DeletionProposed")
	f.both(deleted, "fleet/eu unchanged")
}

// editInGit adds to a draft in Git what a person added to that in Porch.
func (f *twoStores) editInGit(workspace string) {
	f.Helper()
	branch := "drafts/eu/shop/" + workspace
	text := strings.Replace(gittest.Git(f, f.deployments, "show", branch+":eu/shop/app.yaml"), "hello", "hello\n  door: open", 1) + "\n"
	gittest.Commit(f, f.deployments, gittest.Change{Branch: branch, Files: map[string]*string{"eu/shop/app.yaml": &text}})
}
