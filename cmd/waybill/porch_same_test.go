package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPorchDraftsTheSame gives the same PackageVariant to waybill and to Porch's controllers, over equal repositories, and
// compares the objects of what they draft, file by file.
func TestPorchDraftsTheSame(t *testing.T) {
	f := newPorchFleet(t)
	theirs := gittest.NewBare(t)
	f.create(f.emptyRepository("theirs", theirs))
	f.create(porchContext)
	f.StartControllers(t)

	f.await("blueprints.shop.v1", "Published")
	variant := porchVariant + "  pipeline: {mutators: [{name: ns, image: gcr.io/kpt-fn/set-namespace:v0.4.1, configMap: {namespace: eu}}]}\n"
	f.write("eu.yaml", variant)
	f.create(strings.Replace(variant, "deployments", "theirs", 1))
	f.reconcile("fleet/eu created")
	f.AwaitFiles(t, f.await("theirs.eu.shop.packagevariant-1", "Draft"), "site.yaml", "namespace: eu")
	const branch = "drafts/eu/shop/packagevariant-1"
	if diff := cmp.Diff(porchObjects(t, theirs, branch), porchObjects(t, f.deployments, branch)); diff != "" {
		t.Errorf("(-Porch +waybill):\n%s", diff)
	}
}

// porchObjects are the objects of a package by file, without what Porch and waybill write differently on purpose: merge
// marks, which Porch gives the Kptfile and the package context as well, and the Git ref of the upstream, which is a branch for
// Porch if that has the same content.
func porchObjects(t *testing.T, repository, branch string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for file := range strings.Lines(gittest.Git(t, repository, "ls-tree", "-r", "--name-only", branch, "eu/shop/")) {
		file = strings.TrimSpace(file)
		var o map[string]any
		if err := yaml.Unmarshal([]byte(gittest.Git(t, repository, "show", branch+":"+file)), &o); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		withoutField(o, "metadata", "annotations", "internal.kpt.dev/upstream-identifier")
		withoutField(o, "upstream", "git", "ref")
		withoutField(o, "upstreamLock", "git", "ref")
		out[file] = o
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no file", branch)
	}
	return out
}

// withoutField removes a field, and the map that held it if nothing else is there.
func withoutField(o map[string]any, path ...string) {
	at := o
	for _, name := range path[:len(path)-1] {
		next, ok := at[name].(map[string]any)
		if !ok {
			return
		}
		at = next
	}
	if delete(at, path[len(path)-1]); len(at) == 0 && len(path) > 1 {
		withoutField(o, path[:len(path)-1]...)
	}
}
