package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// shop is a package whose objects get their status back, and which has an earlier CombinedStatus that
// nobody asks for. IMAGE stands for how the function is named.
const shop = `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - IMAGE
    configMap:
      writeStatus: "true"
-- app/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the shop
  namespace: shop
spec:
  replicas: 3
-- bindings/shop.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata:
  name: shop
spec:
  workload:
    namespaceScope:
    - group: apps
      version: v1
      resource: deployments
      namespace: shop
      name: web
      resourceVersion: ""
      statusCollectors:
      - ready
      wantMultiWECReportedState: true
  destinations:
  - clusterId: edge1
  - clusterId: edge2
-- collectors.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata:
  name: ready
spec:
  select:
  - name: cluster
    def: inventory.name
  - name: ready
    def: returned.status.readyReplicas
  limit: 20
-- reports.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata:
  name: web
  namespace: edge1
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status:
  readyReplicas: 2
  replicas: 3
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata:
  name: web
  namespace: edge2
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status:
  readyReplicas: 3
  replicas: 3
-- status/shop/shop/deployment_old.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: CombinedStatus
metadata:
  name: old.shop
  namespace: shop
  annotations:
    waybill.dev/generated-by: 'combine-status'
`

// TestKptRender renders the package with the real kpt, twice, and wants what the same function makes of it
// in-process.
func TestKptRender(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	program, image := build(t), "image: "+catalog.Image("combine-status")
	dir := t.TempDir()
	write(t, dir, "exec: "+program)
	want := inProcess(t, image)
	checkShop(t, want)
	for _, round := range []string{"first", "second"} {
		kpt(t, "fn", "render", dir, "--allow-exec")
		if diff := cmp.Diff(want, readDir(t, dir, program, image)); diff != "" {
			t.Errorf("%s render (-in-process +kpt):\n%s", round, diff)
		}
	}
}

// TestKptEval runs the program through kpt's eval on the package.
func TestKptEval(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	program, dir := build(t), t.TempDir()
	write(t, dir, "exec: nothing-runs-it")
	for range 2 {
		kpt(t, "fn", "eval", dir, "--exec", program, "--", "writeStatus=true")
		checkShop(t, readDir(t, dir, program, ""))
	}
}

// checkShop wants the status where people look for it, and what stood there before gone.
func checkShop(t *testing.T, files map[string]string) {
	t.Helper()
	want := []string{"Kptfile", "app/web.yaml", "bindings/shop.yaml", "collectors.yaml", "reports.yaml", "status/shop/shop/deployment_web.yaml"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for file, text := range map[string]string{
		"status/shop/shop/deployment_web.yaml": `float: "3"`, "app/web.yaml": "name: web # the shop",
	} {
		if !strings.Contains(files[file], text) {
			t.Errorf("%s does not have %q:\n%s", file, text, files[file])
		}
	}
	if !strings.Contains(files["app/web.yaml"], "  readyReplicas: 2\n") {
		t.Errorf("the status is not there:\n%s", files["app/web.yaml"])
	}
}

// build compiles the program and returns its path.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "combine-status")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func kpt(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("kpt", args...).CombinedOutput(); err != nil {
		t.Fatalf("kpt %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// packageTree is shop, its function named by the line how.
func packageTree(t *testing.T, how string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(shop, "IMAGE", how))).Files {
		files[f.Name] = f.Data
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func write(t *testing.T, dir, how string) {
	t.Helper()
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, packageTree(t, how)); err != nil {
		t.Fatal(err)
	}
}

func inProcess(t *testing.T, how string) map[string]string {
	t.Helper()
	factory, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), packageTree(t, how), render.Options{Functions: factory})
	if err != nil {
		t.Fatal(err)
	}
	return texts(result.Tree)
}

// readDir reads a package whose Kptfile names the program, as if it named the image.
func readDir(t *testing.T, dir, program, image string) map[string]string {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	files := texts(tree)
	files["Kptfile"] = strings.ReplaceAll(files["Kptfile"], "exec: "+program, image)
	return files
}

func texts(tree pkgtree.Tree) map[string]string {
	all := map[string]string{}
	for file, blob := range tree.All() {
		all[file] = string(blob.Data())
	}
	return all
}
