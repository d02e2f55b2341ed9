package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// someTree is a package with what a folder may hold.
const someTree = `-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: other
-- all.yaml --
apiVersion: v1
kind: Service
metadata:
  name: b
  namespace: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: b
---
apiVersion: v1
kind: Binding
metadata:
  name: b
---
kind: Lonely
---
a: value
---
apiVersion: v1
kind: List
items: []
-- .hidden.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: hidden
-- patch.yaml --
- op: add
  path: /a
-- values.yaml --
a: b
-- none.yaml --
-- comment.yaml --
# nothing
-- more.json --
{"apiVersion": "v1", "kind": "J", "metadata": {"name": "j"}}
-- notes.txt --
text
-- .krmignore --
ignored
-- ignored/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: ignored
-- conf/deep/er/cm.yml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: deep
-- sub/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: sub
-- sub/.krmignore --
cm.yaml
-- sub/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: in-sub
-- sub/below/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
-- plain/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: 12
-- plain/low/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: low
-- void/values.yaml --
a: b
-- empty/notes.txt --
text
`

// TestPkgTree prints what kpt prints: of the package above, of its folders, and of the packages of this repository.
func TestPkgTree(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	dir := filepath.Join(t.TempDir(), "shop")
	must(t, os.CopyFS(dir, os.DirFS(writeArchive(t, someTree))))
	dirs := []string{dir}
	for _, sub := range []string{"sub", "plain", "conf", "void", "empty", "plain/low", "sub/.."} {
		dirs = append(dirs, filepath.Join(dir, sub))
	}
	compare := func(dir string, form func(string) string) {
		want, err := exec.Command("kpt", "pkg", "tree", dir).Output()
		if err != nil {
			t.Fatalf("kpt pkg tree %s: %v", dir, err)
		}
		if d := cmp.Diff(form(string(want)), form(mustRun(t, "pkg", "tree", dir).stdout)); d != "" {
			t.Errorf("%s (-kpt +waybill):\n%s", dir, d)
		}
	}
	for _, dir := range dirs {
		compare(dir, func(text string) string { return text })
	}
	for _, root := range []string{"../../examples", "../../docs", os.Getenv("WAYBILL_TESTDATA")} {
		if root == "" {
			continue
		}
		must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && (d.Name() == "Kptfile" || path == root) {
				compare(strings.TrimSuffix(path, "Kptfile"), withoutBranches)
			}
			return err
		}))
	}
}

// withoutBranches are the lines of a tree, sorted: into which of several folders above kpt puts one differs from run to run.
func withoutBranches(tree string) string {
	lines := strings.Split(tree, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "│├└─ \u00a0")
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestPkgTreeDiffers shows the rows of docs/pkg-differences.md.
func TestPkgTreeDiffers(t *testing.T) {
	object := func(name string) string {
		return "apiVersion: v1\nkind: C\nmetadata:\n  name: " + name + "\n"
	}
	cases := map[string]struct{ reason, archive, want, err string }{
		"neighbours": {"a folder whose name begins like another one's is not in that", "-- a/x.yaml --\n" + object("x") + "-- a-b/y.yaml --\n" + object("y"),
			"p\n├── a\n│   └── [x.yaml]  C x\n└── a-b\n    └── [y.yaml]  C y\n", ""},
		"git":      {"what is Git's is not shown", "-- .git/x.yaml --\n" + object("x") + "-- y.yaml --\n" + object("y"), "p\n└── [y.yaml]  C y\n", ""},
		"terminal": {"no name acts on the terminal", "-- x.yaml --\n" + object(`"a\e[2J\nb"`), "p\n└── [x.yaml]  C a\\x1b[2J\\nb\n", ""},
		"broken":   {"the error has file and line", "-- x.yaml --\na: [\n", "", `error: package "p": x.yaml: document 1, line `},
		"no dir":   {"a folder is needed", "-- ../file --\n", "", `is not a folder`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			if err := os.CopyFS(dir, os.DirFS(writeArchive(t, tc.archive))); err != nil || name == "no dir" {
				dir = filepath.Join(dir, "nowhere")
			}
			r := runCLI(t, "pkg", "tree", dir)
			if d := cmp.Diff(tc.want, r.stdout); d != "" || !strings.Contains(r.stderr, tc.err) || (tc.err != "") != (r.code == exitFailed) {
				t.Errorf("%s: exit code %d, stderr %s(-want +got):\n%s", tc.reason, r.code, r.stderr, d)
			}
		})
	}
}

// TestPkgTreeJSON prints the same for programs.
func TestPkgTreeJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	must(t, os.CopyFS(dir, os.DirFS(writeArchive(t, someTree))))
	for _, format := range []string{"json", "yaml"} {
		r := mustRun(t, "pkg", "tree", dir, "-o", format)
		var got pkg.TreeReport
		must(t, yaml.UnmarshalStrict([]byte(r.stdout), &got)) // JSON is YAML
		var folders []string
		for _, f := range got.Folders {
			folders = append(folders, f.Path)
		}
		if d := cmp.Diff([]string{"conf/deep/er", "plain", "sub"}, folders); d != "" || !got.Package || got.Name != "shop" || len(got.Resources) != 7 {
			t.Errorf("%s: %+v\n%s", format, got, d)
		}
	}
}
