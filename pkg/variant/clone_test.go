package variant_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/variant"
)

const kptfileText = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: blueprint # theirs\n"

const web = `# the web
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  args:
    - a # first
`

const webMarked = `# the web
apiVersion: apps/v1
kind: Deployment
metadata: # kpt-merge: shop/web
  name: web
  namespace: shop
  annotations:
    internal.kpt.dev/upstream-identifier: 'apps|Deployment|shop|web'
spec:
  args:
    - a # first
`

const contextText = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: net/upf
`

const clonedKptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: net/upf # theirs
upstream:
  type: git
  git:
    repo: https://git.example/b.git
    directory: upf
    ref: upf/v3
upstreamLock:
  type: git
  git:
    repo: https://git.example/b.git
    directory: upf
    ref: upf/v3
    commit: c3
`

func newTree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func filesOf(tree pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tree.All() {
		out[p] = string(b.Data())
	}
	return out
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestClone(t *testing.T) {
	input := variant.CloneInput{Name: "net/upf", Upstream: kptfilev1.GitLock{Repo: "https://git.example/b", Directory: "/upf", Ref: "upf/v3", Commit: "c3"}}
	deployment := input
	deployment.Deployment = true
	labelled := input
	labelled.Labels, labelled.Annotations = map[string]string{"b": "2", "a": "yes"}, map[string]string{"note": "x"}
	placed := deployment
	placed.PackagePath = "regions/eu/upf"
	for name, tc := range map[string]struct {
		reason    string
		in        variant.CloneInput
		up, want  map[string]string
		wantError string
	}{
		"plain": {
			reason: "name, upstream and lock are written; marks on YAML, subpackages included; everything else byte for byte",
			in:     input,
			up:     map[string]string{"Kptfile": kptfileText, "web.yaml": web, "sub/Kptfile": kptfileText, "sub/web.yml": web, "README.md": "hi", "x.json": `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`},
			want:   map[string]string{"Kptfile": clonedKptfile, "web.yaml": webMarked, "sub/Kptfile": kptfileText, "sub/web.yml": webMarked, "README.md": "hi", "x.json": `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`},
		},
		"metadata": {
			reason: "labels and annotations of the revision go to the Kptfile's metadata",
			in:     labelled,
			up:     map[string]string{"Kptfile": kptfileText},
			want: map[string]string{"Kptfile": strings.Replace(clonedKptfile, "upf # theirs\n",
				"upf # theirs\n  labels:\n    a: \"yes\"\n    b: \"2\"\n  annotations:\n    note: x\n", 1)},
		},
		"clone of a clone": {
			reason: "an older upstream, its strategy and its lock are replaced",
			in:     input,
			up: map[string]string{"Kptfile": strings.Replace(strings.NewReplacer("upf/v3", "base/v1", "c3", "b1", "name: net/upf", "name: base").Replace(clonedKptfile),
				"upstreamLock", "  updateStrategy: copy-merge\nupstreamLock", 1)},
			want: map[string]string{"Kptfile": clonedKptfile},
		},
		"deployment": {
			reason: "marks first, then the context, which carries none (Corrections 7.1); contexts that came along are dropped wherever they are",
			in:     deployment,
			up:     map[string]string{"Kptfile": kptfileText, "web.yaml": web + "---\n" + contextText, "sub/package-context.yaml": contextText},
			want:   map[string]string{"Kptfile": clonedKptfile, "web.yaml": webMarked, "package-context.yaml": contextText},
		},
		"deployment with a path": {
			reason: "package-path when it is known; other objects of a file of that name stay behind the context",
			in:     placed,
			up:     map[string]string{"Kptfile": kptfileText, "package-context.yaml": contextText + "---\n" + web},
			want:   map[string]string{"Kptfile": clonedKptfile, "package-context.yaml": contextText + "  package-path: regions/eu/upf\n---\n" + webMarked},
		},
		"unreadable file": {
			reason: "marks are best effort: the tree stays unmarked",
			in:     input,
			up:     map[string]string{"Kptfile": kptfileText, "web.yaml": web, "z.yaml": "{{ template }}\n"},
			want:   map[string]string{"Kptfile": clonedKptfile, "web.yaml": web, "z.yaml": "{{ template }}\n"},
		},
		"no Kptfile":  {reason: "Porch requires one", in: input, up: map[string]string{"web.yaml": web}, wantError: "not a package: no Kptfile at its root"},
		"bad Kptfile": {reason: "a Kptfile is read strictly", in: input, up: map[string]string{"Kptfile": kptfileText + "pipelines: {}\n"}, wantError: "Kptfile: unknown field pipelines (line 5)"},
	} {
		t.Run(name, func(t *testing.T) {
			up := newTree(t, tc.up)
			got, err := variant.Clone(up, tc.in)
			if diff := cmp.Diff(tc.wantError, errText(err)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tc.want, filesOf(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.up, filesOf(up)); diff != "" {
				t.Errorf("the upstream stays as it was (-want +got):\n%s", diff)
			}
			again, err := variant.Clone(got, tc.in)
			if diff := cmp.Diff(filesOf(got), filesOf(again)); diff != "" || err != nil {
				t.Errorf("cloning a clone changes nothing: %v (-once +twice):\n%s", err, diff)
			}
		})
	}
}

// TestMarksAsKptDoes gets a package with the real kpt and compares its resources with ours.
func TestMarksAsKptDoes(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.Kpt)
	dir := t.TempDir()
	files := map[string]string{
		"Kptfile": kptfileText, "web.yaml": web + "---\n" + strings.ReplaceAll(web, "web", "api"), "sub/one.yml": web,
		"named.yaml": strings.Replace(web, "metadata:", "metadata: # kpt-merge: x/y", 1), "README.md": "hi\n",
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	run("git", "init", "-q", "-b", "main", "up")
	for p, text := range files {
		file := filepath.Join(dir, "up", "pkg", p)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("git", "-C", "up", "add", ".")
	run("git", "-C", "up", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "x")
	run("kpt", "pkg", "get", "file://"+dir+"/up/.git/pkg@main", "upf", "--for-deployment")
	want, err := pkgtree.ReadDir(filepath.Join(dir, "upf"), pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := variant.Clone(newTree(t, files), variant.CloneInput{Name: "upf", Deployment: true})
	if err != nil {
		t.Fatal(err)
	}
	var differ []string
	for _, p := range want.Diff(got) {
		if p != "Kptfile" { // kpt writes updateStrategy and its own spelling of the URL
			differ = append(differ, p)
		}
	}
	if diff := cmp.Diff([]string(nil), differ); diff != "" {
		t.Errorf("resources that differ from kpt's:\n%s\n%s", diff, cmp.Diff(filesOf(want), filesOf(got)))
	}
}
