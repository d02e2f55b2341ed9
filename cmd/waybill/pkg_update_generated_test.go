package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// renamedPolicy is a repository with the package shop: at v1 policy p1 selects, at v2 it is called p9, and the author has rendered
// and finished the hand-over. At bare, too, but nothing generated is in the package any more.
func renamedPolicy(t *testing.T) (bare string) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	bare = filepath.Join(dir, "up.git")
	gittest.Git(t, ".", "init", "--quiet", "--bare", "--initial-branch=main", bare)
	t.Chdir(dir)
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", "up")
	policy := "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata:\n  name: p1\nspec:\n  clusterSelectors:\n" +
		"  - matchLabels:\n      site: edge\n  downsync:\n  - objectSelectors:\n    - matchLabels:\n        app: shop\n"
	must(t, os.MkdirAll("up/shop", 0o755))
	writeFile(t, "up/shop/policy.yaml", policy, 0o644)
	writeFile(t, "up/shop/claim.yaml", "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data\n  namespace: shop\n  labels:\n    app: shop\n"+
		"spec:\n  accessModes:\n  - ReadWriteOnce\n  resources:\n    requests:\n      storage: 1Gi\n", 0o644)
	writeFile(t, "up/shop/clusters.yaml", "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n"+
		"  - name: c1\n    labels:\n      site: edge\n", 0o644)
	shop := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n  - image: ghcr.io/waybill-dev/bind-resolve\n" +
		"  - image: ghcr.io/waybill-dev/bundle-manifestwork\n    configMap:\n      wdsName: shop\n"
	writeFile(t, "up/shop/Kptfile", shop, 0o644)
	release := func(tag string) {
		mustRun(t, "fn", "render", "up/shop")
		commitAll(t, "up", tag)
		gittest.Git(t, "up", "tag", tag)
	}
	release("v1")
	writeFile(t, "up/shop/policy.yaml", strings.Replace(policy, "p1", "p9", 1), 0o644)
	mustRun(t, "fn", "render", "up/shop")
	writeFile(t, "up/shop/Kptfile", shop+"      handOver: finish\n", 0o644)
	mustRun(t, "fn", "render", "up/shop")
	writeFile(t, "up/shop/Kptfile", shop, 0o644)
	release("v2")
	must(t, os.RemoveAll("up/shop/clusters"))
	must(t, os.RemoveAll("up/shop/bindings"))
	commitAll(t, "up", "bare")
	gittest.Git(t, "up", "tag", "bare")
	gittest.Git(t, "up", "push", "--quiet", bare, "main", "v1", "v2", "bare")
	return bare
}

// TestPkgUpdateGenerated updates a package whose author renamed a policy: what its own clusters hold stays, and is handed over.
func TestPkgUpdateGenerated(t *testing.T) {
	const said = "2 generated file(s) of upstream left out: the local generated files stay until 'waybill fn render' renders them\n"
	cases := map[string]struct {
		reason, ref string
		args        []string
		says        string
	}{
		"Finished":    {"the works of the author are at the end of the hand-over", "v2", nil, "4" + said[1:]},
		"Ungenerated": {"the author committed no works", "bare", nil, said},
		"Replace":     {"a strategy that takes all of upstream's", "v2", []string{"--strategy", "force-delete-replace"}, "4" + said[1:]},
		"FastForward": {"one that stops at changes: rendering is none", "v2", []string{"--strategy", "fast-forward"}, "4" + said[1:]},
		"Copy":        {"one that copies files over", "v2", []string{"--strategy", "copy-merge"}, "4" + said[1:]},
		"Rendered":    {"with functions run on all sides", "v2", []string{"--base", "rendered"}, "4" + said[1:]},
	}
	bare := renamedPolicy(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
			mustRun(t, "pkg", "get", bare+"/shop@v1", "shop")
			mustRun(t, "fn", "render", "shop")
			commitAll(t, ".", "shop")
			before := worksIn(t, "shop")
			r := mustRun(t, append([]string{"pkg", "update", "shop@" + tc.ref}, tc.args...)...)
			if !before.Equal(worksIn(t, "shop")) {
				t.Errorf("%s: the update changes works: %v", tc.reason, before.Diff(worksIn(t, "shop")))
			}
			if !strings.Contains(r.stdout, tc.says) {
				t.Errorf("%s: stdout:\n%swant: %s", tc.reason, r.stdout, tc.says)
			}
			mustRun(t, "fn", "render", "shop")
			if old := readText(t, "shop/clusters/c1/p1/manifestwork-0.yaml"); !strings.Contains(old, "waybill.dev/hand-over: '1'") {
				t.Errorf("%s: the earlier work does not hand over:\n%s", tc.reason, old)
			}
			if held := readText(t, "shop/clusters/c1/p9/manifestwork-0.yaml"); !strings.Contains(held, "PersistentVolumeClaim") {
				t.Errorf("%s: the new work:\n%s", tc.reason, held)
			}
		})
	}
}

// worksIn are the works of a package.
func worksIn(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	must(t, err)
	return tree.Sub("clusters")
}
