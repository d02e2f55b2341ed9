// Package kpttest renders packages of tests with the real kpt.
//
// Shape: a Package in, the package that kpt leaves out, as text by file; a Package is written into a new folder of the
// test each time. The program is that of the folder that the test runs in.
// Cost: one build and two runs of kpt for each call, seconds.
// Errors: a failure ends the test; without kpt the test is skipped, see package testenv.
// Source: kpt fn render.
package kpttest

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

// Package is a package that uses a function.
type Package struct {
	// Function is its name in the catalog.
	Function string
	// Files is a txtar archive. IMAGE stands where a pipeline says how the function is run.
	Files string
}

// Render renders p with kpt, twice, and compares the result with that of the same function in-process, which it returns.
func (p Package) Render(t *testing.T) map[string]string {
	t.Helper()
	testenv.Need(t, testenv.Kpt)
	dir, how, image := t.TempDir(), "exec: "+program(t), "image: "+catalog.Image(p.Function)
	p.write(t, dir, how)
	want := inProcess(t, p.tree(t, image))
	for _, round := range []string{"first", "second"} {
		kpt(t, dir, "fn", "render", "--allow-exec")
		got := read(t, dir)
		for file, text := range got {
			got[file] = strings.ReplaceAll(text, how, image)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s render (-in-process +kpt):\n%s", round, diff)
		}
	}
	return want
}

// Eval runs the function on p by kpt's eval, twice, with args in the package's folder, and calls check with the result of
// each run. eval runs no pipelines.
func (p Package) Eval(t *testing.T, check func(t *testing.T, files map[string]string), args ...string) {
	t.Helper()
	testenv.Need(t, testenv.Kpt)
	dir, at := t.TempDir(), program(t)
	p.write(t, dir, "exec: nothing-runs-it")
	for range 2 {
		kpt(t, dir, append([]string{"fn", "eval", "--exec", at}, args...)...)
		check(t, read(t, dir))
	}
}

// program builds the program in the current folder and returns its path.
func program(t *testing.T) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", at, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return at
}

func kpt(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("kpt", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("kpt %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (p Package) tree(t *testing.T, how string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(p.Files, "IMAGE", how))).Files {
		files[f.Name] = f.Data
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func (p Package) write(t *testing.T, dir, how string) {
	t.Helper()
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, p.tree(t, how)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return texts(tree)
}

func inProcess(t *testing.T, tree pkgtree.Tree) map[string]string {
	t.Helper()
	factory, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), tree, render.Options{Functions: factory})
	if err != nil {
		t.Fatal(err)
	}
	return texts(result.Tree)
}

func texts(tree pkgtree.Tree) map[string]string {
	all := map[string]string{}
	for file, blob := range tree.All() {
		all[file] = string(blob.Data())
	}
	return all
}
