package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const blueprint = "../../examples/edge-fleet/blueprint"

// TestSameBytesHoweverFunctionsRun renders packages from nothing in every way there is, and wants
// one result, to the byte.
func TestSameBytesHoweverFunctionsRun(t *testing.T) {
	testenv.Long(t, "it builds every function")
	packages := fourWaysPackages(t)
	bin := sync.OnceValue(func() string { return buildFunctions(t) })
	tag := func() string { return loadImages(t) }
	check := func(way string, needs []testenv.Part, change func() func(string) string, render func(t *testing.T, dir string)) {
		t.Run(way, func(t *testing.T) {
			testenv.Need(t, needs...)
			for name, p := range packages {
				if p.notKpt && slices.Contains(needs, testenv.Kpt) {
					continue
				}
				dir := t.TempDir()
				writePackage(t, dir, p.source, change())
				render(t, dir)
				t.Run(name, func(t *testing.T) { sameTree(t, p.rendered, asImages(t, dir)) })
			}
		})
	}
	image := func() func(string) string { return unchanged }
	executable := func() func(string) string { return asExec(bin()) }
	tagged := func() func(string) string { return asTag(tag()) }
	check("in-process", nil, image, func(t *testing.T, dir string) { waybill(t, "fn", "render", dir, "--runtime", "inproc") })
	check("exec", nil, executable, func(t *testing.T, dir string) { waybill(t, "fn", "render", dir, "--allow-exec") })
	check("kpt exec", []testenv.Part{testenv.Kpt}, executable, func(t *testing.T, dir string) {
		command(t, []string{noAttribution}, "kpt", "fn", "render", dir, "--allow-exec")
	})
	check("podman", []testenv.Part{testenv.Podman}, tagged, func(t *testing.T, dir string) {
		waybill(t, "fn", "render", dir, "--runtime", "podman", "--image-pull-policy", "Never")
	})
	check("kpt podman", []testenv.Part{testenv.Kpt, testenv.Podman}, tagged, func(t *testing.T, dir string) {
		command(t, []string{noAttribution, "KPT_FN_RUNTIME=podman"}, "kpt", "fn", "render", dir, "--image-pull-policy", "Never")
	})
}

// noAttribution keeps kpt from writing into Google's resources that it rendered them: docs/kpt-differences.md.
const noAttribution = "KPT_DISABLE_ATTRIBUTION=true"

// fourWays is a package and what it renders to.
type fourWays struct {
	source   map[string][]byte
	rendered pkgtree.Tree
	notKpt   bool // it hides files that a function reads, and kpt passes none
}

// fourWaysPackages are the examples, whose rendered form is committed, and what the README of every
// function shows, rendered in-process.
func fourWaysPackages(t *testing.T) map[string]fourWays {
	t.Helper()
	packages := map[string]fourWays{"example": fourWaysExample(t, blueprint), "status example": fourWaysExample(t, statusExample),
		"Helm example": fourWaysExample(t, helmExample+"/blueprint")}
	add := func(name string, source map[string][]byte) {
		source["Kptfile"] = bareImage.ReplaceAll(source["Kptfile"], []byte("$0:"+catalog.Version))
		dir := t.TempDir()
		writePackage(t, dir, source, unchanged)
		waybill(t, "fn", "render", dir, "--runtime", "inproc")
		packages[name] = fourWays{source: source, rendered: readTree(t, dir), notKpt: source[".krmignore"] != nil}
	}
	for _, f := range catalog.Functions {
		add(f.Name, fntest.ReadExample(f.Doc.README).In)
	}
	moved := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(moving)).Files {
		moved[f.Name] = f.Data
	}
	add("moved by one spelling", moved)
	overlays := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(hidden)).Files {
		overlays[f.Name] = f.Data
	}
	add("files that are no resources", overlays)
	return packages
}

// hidden is a package whose function reads files that are hidden, or no YAML.
const hidden = `-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: overlays
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/kustomize
    configMap:
      path: overlays/prod
-- .krmignore --
overlays/
-- overlays/prod/kustomization.yaml --
configMapGenerator:
- name: settings
  files: [motd.txt, values.yaml]
-- overlays/prod/motd.txt --
hello
	there
-- overlays/prod/values.yaml --
- {{ no object }}
`

// rendered matches what functions put into the examples.
var rendered = regexp.MustCompile(`^(bindings|clusters|helm|status)/`)

// fourWaysExample is an example in dir, and it without what its pipeline makes.
func fourWaysExample(t *testing.T, dir string) fourWays {
	t.Helper()
	committed, source := readTree(t, dir), map[string][]byte{}
	for p, b := range committed.All() {
		if !rendered.MatchString(p) {
			source[p] = b.Data()
		}
	}
	if len(source) == committed.Len() {
		t.Errorf("%s is not rendered", dir)
	}
	return fourWays{source: source, rendered: committed}
}

// bareImage matches the name of an image of ours that stands without a tag.
var bareImage = regexp.MustCompile(`(?m)` + regexp.QuoteMeta(catalog.Registry) + `/[a-z-]+$`)

// ours matches the line of a Kptfile that names one of our functions.
var ours = regexp.MustCompile(`(?m)^(  - )image: ` + regexp.QuoteMeta(catalog.Registry) + `/([a-z-]+):\S+$`)

// writePackage fills the empty folder dir with files, the Kptfile's function lines changed.
func writePackage(t *testing.T, dir string, files map[string][]byte, change func(line string) string) {
	t.Helper()
	files = maps.Clone(files)
	files["Kptfile"] = []byte(ours.ReplaceAllStringFunc(string(files["Kptfile"]), change))
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		t.Fatal(err)
	}
}

// buildFunctions builds the executable of every function and returns their folder.
func buildFunctions(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin+"/", "../../functions/...")
	return bin
}

func unchanged(line string) string { return line }

// asExec makes function lines name executables.
func asExec(bin string) func(string) string {
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

func sameTree(t *testing.T, want, got pkgtree.Tree) {
	t.Helper()
	for _, p := range want.Diff(got) {
		w, _ := want.Get(p)
		g, _ := got.Get(p)
		t.Errorf("%s differs (-want +got):\n%s", p, cmp.Diff(string(w), string(g)))
	}
}

// readTree reads the package in dir; OCM must accept its ManifestWorks.
func readTree(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := ocmcheck.Tree(tree); len(faults) > 0 {
		t.Errorf("%s holds works that OCM refuses:\n%s", dir, strings.Join(faults, "\n"))
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
