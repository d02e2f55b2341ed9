package kustomize

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// overlays are the packages in testdata.
func overlays(t testing.TB) map[string]fn.Files {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 12 {
		t.Fatalf("found %d overlays (%v)", len(names), err)
	}
	found := map[string]fn.Files{}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := fn.Files{}
		for _, f := range ar.Files {
			files[f.Name] = f.Data
		}
		found[filepath.Base(name)] = files
	}
	return found
}

// buildOverlay runs the function over files.
func buildOverlay(t testing.TB, files fn.Files, opts string) *fn.Output {
	t.Helper()
	config, err := krm.Read("config.yaml", []byte("apiVersion: fn.waybill.dev/v1alpha1\nkind: Kustomize\nmetadata: {name: x}\nspec:\n"+
		"  path: overlays/x\n"+opts), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Function.Apply(t.Context(), &fn.Input{Config: config[0], Files: files})
}

// TestLikeKubectl builds each overlay here and by the kustomize of kubectl.
func TestLikeKubectl(t *testing.T) {
	testenv.Need(t, testenv.APIServer) // kubectl is one of its programs
	dir, _, err := testenv.APIServerPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	kubectl := filepath.Join(dir, "kubectl")
	for name, files := range overlays(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, err := pkgtree.New(files)
			if err != nil {
				t.Fatal(err)
			}
			work := t.TempDir()
			if err := pkgtree.WriteDir(work, pkgtree.Tree{}, tree); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(kubectl, "kustomize", filepath.Join(work, "overlays/x"))
			text, err := cmd.Output()
			if err != nil {
				t.Fatalf("kubectl kustomize: %v", err)
			}
			want, err := krm.Read("kubectl", text, krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			out := buildOverlay(t, files, "")
			if out.Failed() || len(out.Items) == 0 {
				t.Fatalf("%d objects, %v", len(out.Items), out.Results)
			}
			if d := gocmp.Diff(contents(t, want), contents(t, out.Items)); d != "" {
				t.Errorf("(-kubectl +here):\n%s", d)
			}
		})
	}
}

// contents are the objects as JSON, in one order, without what says where they are.
func contents(t testing.TB, objects []*krm.Object) (all []string) {
	t.Helper()
	for _, o := range objects {
		c := o.DeepCopy()
		c.RemoveAnnotations(func(key string) bool { return key == fn.RenderedFrom || krm.IsOrchestration(key) })
		data, err := krm.CanonicalJSON(c.Node())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	slices.SortFunc(all, cmp.Compare)
	return all
}

// BenchmarkBuild builds a base of ten Deployments with an overlay, as one variant of many does.
func BenchmarkBuild(b *testing.B) {
	files := fn.Files{overlay: []byte("resources: [../../base]\nnamePrefix: a-\nnamespace: shop\nimages: [{name: web, newTag: '2'}]\n"),
		"base/kustomization.yaml": []byte("resources: [all.yaml]\n"),
		"base/all.yaml": []byte(list(10, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web%d}\nspec:\n  template:\n    spec:\n"+
			"      containers:\n      - {name: web, image: 'web:1'}\n"))}
	if out := buildOverlay(b, files, ""); len(out.Items) != 10 {
		b.Fatal(out.Results)
	}
	b.ReportAllocs()
	for b.Loop() {
		buildOverlay(b, files, "")
	}
}
