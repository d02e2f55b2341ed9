package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const blueprint = "../../examples/edge-fleet/blueprint"

// TestSameBytesHoweverFunctionsRun renders the example from nothing in every way there is, and
// wants what is committed, to the byte.
func TestSameBytesHoweverFunctionsRun(t *testing.T) {
	want := readTree(t, blueprint)
	check := func(name string, render func(t *testing.T) pkgtree.Tree) {
		t.Run(name, func(t *testing.T) { sameTree(t, want, render(t)) })
	}
	check("in-process", func(t *testing.T) pkgtree.Tree {
		dir := unrendered(t, nil)
		waybill(t, "fn", "render", dir, "--runtime", "inproc")
		return readTree(t, dir)
	})
	check("exec", func(t *testing.T) pkgtree.Tree {
		dir := unrendered(t, asExec(t))
		waybill(t, "fn", "render", dir, "--allow-exec")
		return asImages(t, dir)
	})
	check("kpt exec", func(t *testing.T) pkgtree.Tree {
		testenv.Need(t, testenv.Kpt)
		dir := unrendered(t, asExec(t))
		command(t, nil, "kpt", "fn", "render", dir, "--allow-exec")
		return asImages(t, dir)
	})
	check("podman", func(t *testing.T) pkgtree.Tree {
		testenv.Need(t, testenv.Podman)
		dir := unrendered(t, asTag(loadImages(t)))
		waybill(t, "fn", "render", dir, "--runtime", "podman", "--image-pull-policy", "Never")
		return asImages(t, dir)
	})
	check("kpt podman", func(t *testing.T) pkgtree.Tree {
		testenv.Need(t, testenv.Kpt, testenv.Podman)
		dir := unrendered(t, asTag(loadImages(t)))
		command(t, []string{"KPT_FN_RUNTIME=podman"}, "kpt", "fn", "render", dir, "--image-pull-policy", "Never")
		return asImages(t, dir)
	})
}

// ours matches the line of a Kptfile that names one of our functions.
var ours = regexp.MustCompile(`(?m)^(  - )image: ` + regexp.QuoteMeta(catalog.Registry) + `/([a-z-]+):\S+$`)

// unrendered copies the example without what was generated, its Kptfile's function lines changed.
func unrendered(t *testing.T, change func(line string) string) string {
	t.Helper()
	files := map[string][]byte{}
	for p, b := range readTree(t, blueprint).All() {
		if !strings.HasPrefix(p, "bindings/") && !strings.HasPrefix(p, "clusters/") {
			files[p] = b.Data()
		}
	}
	if change != nil {
		files["Kptfile"] = []byte(ours.ReplaceAllStringFunc(string(files["Kptfile"]), change))
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "blueprint")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

// asExec makes function lines name executables that are built here.
func asExec(t *testing.T) func(string) string {
	t.Helper()
	bin := t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin+"/", "../../functions/...")
	return func(line string) string { return ours.ReplaceAllString(line, "${1}exec: "+bin+"/${2}") }
}

// asTag makes function lines name images of another tag.
func asTag(tag string) func(string) string {
	return func(line string) string {
		return ours.ReplaceAllString(line, "${1}image: "+catalog.Registry+"/${2}:"+tag)
	}
}

// asImages reads the package in dir with its function lines as they were.
func asImages(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree := readTree(t, dir)
	data, _ := tree.Get("Kptfile")
	line := regexp.MustCompile(`(?m)^(  - )(?:exec: \S+/|image: ` + regexp.QuoteMeta(catalog.Registry) + `/)([a-z-]+)(?::\S+)?$`)
	data = line.ReplaceAll(data, []byte("${1}image: "+catalog.Registry+"/${2}:"+catalog.Version))
	tree, err := tree.Apply(map[string][]byte{"Kptfile": data})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// loadImages builds the function images and loads them into podman under a tag of this process,
// which it returns and which is gone afterwards.
func loadImages(t *testing.T) string {
	t.Helper()
	dir, tag := t.TempDir(), fmt.Sprintf("v0.0.0-test.%d", os.Getpid())
	waybill(t, "image", "build", "--dir", "../..", "--tarball-dir", dir, "--tag", tag, "--platform", hostPlatform())
	for _, f := range catalog.Functions {
		command(t, nil, "podman", "load", "--quiet", "--input", filepath.Join(dir, f.Name+".tar"))
		image := catalog.Registry + "/" + f.Name + ":" + tag
		t.Cleanup(func() { command(t, nil, "podman", "rmi", image) })
	}
	return tag
}

func sameTree(t *testing.T, want, got pkgtree.Tree) {
	t.Helper()
	for _, p := range want.Diff(got) {
		w, _ := want.Get(p)
		g, _ := got.Get(p)
		t.Errorf("%s differs (-want +got):\n%s", p, cmp.Diff(string(w), string(g)))
	}
}

func readTree(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// waybill runs one command line in this process, which must succeed, and returns its stdout.
func waybill(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(context.Background(), args, strings.NewReader(""), &stdout, &stderr); code != exitDone {
		t.Fatalf("waybill %s: exit status %d\n%s", strings.Join(args, " "), code, &stderr)
	}
	return stdout.String()
}

// command runs a program, which must succeed, and returns its output.
func command(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
