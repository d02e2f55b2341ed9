package main

import (
	"os/exec"
	"path/filepath"
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

// nested is a package with a subpackage that has points and context objects, too, and injects by
// itself before the package around it does. IMAGE stands for how the function is named.
const nested = `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: upf
pipeline:
  mutators:
  - IMAGE
    configPath: inject.yaml
-- inject.yaml --
apiVersion: fn.waybill.dev/v1alpha1
kind: InjectConfig
metadata:
  name: inject
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  injectors:
  - kind: Site
    name: lyon-2
-- site.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: outer
  annotations:
    kpt.dev/config-injection: required
spec:
  cidr: 0.0.0.0/0
-- net/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: net
pipeline:
  mutators:
  - IMAGE
    configMap:
      injectors: |
        - name: lyon-3
-- net/site.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: inner # of the network
  annotations:
    kpt.dev/config-injection: required
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  annotations:
    kpt.dev/config-injection: optional
-- net/context.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: lyon-2
  annotations:
    config.kubernetes.io/local-config: "true"
    waybill.dev/context: "true"
spec:
  cidr: 10.2.0.0/16
---
apiVersion: infra.example/v1
kind: Site
metadata:
  name: lyon-3
  annotations:
    config.kubernetes.io/local-config: "true"
    waybill.dev/context: "true"
spec:
  cidr: 10.3.0.0/16
`

// TestKptRender renders packages within packages with the real kpt, twice, and wants what the same
// functions in-process make of them.
func TestKptRender(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	program, image := build(t), "image: "+catalog.Image("inject-config")
	dir := t.TempDir()
	write(t, dir, "exec: "+program)
	want := inProcess(t, image)
	inner, _ := want.Get("net/site.yaml")
	if !strings.Contains(string(inner), "10.2.0.0/16") || !strings.Contains(string(inner), "# of the network") {
		t.Fatalf("the package around it injects last, and comments stay:\n%s", inner)
	}
	for _, round := range []string{"first", "second"} {
		kpt(t, "fn", "render", dir, "--allow-exec")
		if diff := cmp.Diff(texts(want), texts(readDir(t, dir, program, image))); diff != "" {
			t.Errorf("%s render (-in-process +kpt):\n%s", round, diff)
		}
	}
}

// TestKptEval runs the program through kpt's eval on the whole package, which has no pipelines then.
func TestKptEval(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	program, dir := build(t), t.TempDir()
	write(t, dir, "exec: nothing-runs-it")
	for _, round := range []string{"first", "second"} {
		kpt(t, "fn", "eval", dir, "--exec", program, "--fn-config", filepath.Join(dir, "inject.yaml"))
		tree := readDir(t, dir, program, "")
		got := map[string]int{}
		for _, file := range []string{"Kptfile", "site.yaml", "net/Kptfile", "net/site.yaml"} {
			data, _ := tree.Get(file)
			got[file] = strings.Count(string(data), "lyon-2") + strings.Count(string(data), "conditionType: ")
		}
		want := map[string]int{"Kptfile": 4, "site.yaml": 1, "net/Kptfile": 0, "net/site.yaml": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s run: sources and gates named (-want +got):\n%s", round, diff)
		}
	}
}

// build compiles the program and returns its path.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "inject-config")
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

// packageTree is nested, its function named by the line how.
func packageTree(t *testing.T, how string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(nested, "IMAGE", how))).Files {
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

func inProcess(t *testing.T, how string) pkgtree.Tree {
	t.Helper()
	factory, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), packageTree(t, how), render.Options{Functions: factory})
	if err != nil {
		t.Fatal(err)
	}
	return result.Tree
}

// readDir reads a package whose Kptfiles name the program, as if they named the image.
func readDir(t *testing.T, dir, program, image string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"Kptfile", "net/Kptfile"} {
		data, _ := tree.Get(file)
		tree, err = tree.Apply(map[string][]byte{file: []byte(strings.ReplaceAll(string(data), "exec: "+program, image))})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

func texts(tree pkgtree.Tree) map[string]string {
	all := map[string]string{}
	for file, blob := range tree.All() {
		all[file] = string(blob.Data())
	}
	return all
}
