package render

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// bundles puts the ConfigMaps of a package into a work, and generates a Secret for each.
type bundles struct{}

func (bundles) Prepare(context.Context, *kptfilev1.Function) (runner.Runner, error) {
	return bundles{}, nil
}
func (bundles) Kind() string { return "bundles" }
func (bundles) Run(_ context.Context, in *fn.Input) (*runner.Output, error) {
	work, out := workHead, &runner.Output{}
	for _, o := range in.Items {
		if fn.IsGenerated(o) {
			continue
		}
		out.Items = append(out.Items, o)
		if o.Kind() != "ConfigMap" {
			continue
		}
		work += "    - {apiVersion: v1, kind: ConfigMap, metadata: {name: " + o.Name() + ", namespace: shop}}\n"
		made, err := krm.Read("made.yaml", []byte("apiVersion: v1\nkind: Secret\nmetadata:\n  name: "+o.Name()+
			"\n  annotations:\n    waybill.dev/generated-by: bundles\n"), krm.Limits{})
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, made...)
	}
	works, err := krm.Read("work.yaml", []byte(work), krm.Limits{})
	out.Items = append(out.Items, works...)
	return out, err
}

const workHead = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  name: work\n  namespace: c1\n" +
	"  annotations:\n    waybill.dev/generated-by: bundles\nspec:\n  workload:\n    manifests:\n"

// TestEmptiedFiles renders a package, changes it, and renders it again. The render never deletes what an empty file may have held; after a
// successful render, the next one succeeds, too.
func TestEmptiedFiles(t *testing.T) {
	configMap := func(name string) []byte {
		return []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n")
	}
	gone := func(file string) string {
		return "files without object and comment: " + file + "; the render would delete ConfigMap shop/b of cluster c1 " +
			"(2 generated objects in all): restore the files' content, remove the files, or add a comment to each file that is meant to be empty"
	}
	cases := map[string]struct {
		reason  string
		changes map[string][]byte
		want    string
	}{
		"empty":      {"a shell redirection empties it", map[string][]byte{"sub/b.yaml": {}}, gone("sub/b.yaml")},
		"separator":  {"a separator is no object", map[string][]byte{"sub/b.yaml": []byte("---\n")}, gone("sub/b.yaml")},
		"null":       {"a template prints it", map[string][]byte{"sub/b.yaml": []byte("null\n")}, gone("sub/b.yaml")},
		"elsewhere":  {"the object may have moved", map[string][]byte{"sub/b.yaml": nil, "c.yaml": {}}, gone("c.yaml")},
		"commented":  {"the user says that it is meant", map[string][]byte{"sub/b.yaml": []byte("# b is not needed\n")}, ""},
		"removed":    {"the user means it", map[string][]byte{"sub/b.yaml": nil}, ""},
		"moved":      {"no object is deleted", map[string][]byte{"sub/b.yaml": {}, "c.yaml": configMap("b")}, ""},
		"added":      {"no object is deleted", map[string][]byte{"c.yaml": {}, "d.yaml": configMap("d")}, ""},
		"no file":    {"other files do not count", map[string][]byte{"sub/b.yaml": nil, "c.txt": {}}, ""},
		"ignored":    {"files that are not read do not count", map[string][]byte{"sub/b.yaml": nil, "c.yaml": {}, ".krmignore": []byte("c.yaml\n")}, ""},
		"from first": {"a file that was always empty blocks nothing", map[string][]byte{}, ""},
	}
	kptfile := minimal + "pipeline:\n  mutators:\n  - image: bundles\n"
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{"Kptfile": []byte(kptfile), "a.yaml": configMap("a"), "sub/Kptfile": []byte(minimal), "sub/b.yaml": configMap("b")}
			if name == "from first" {
				files["e.yaml"] = nil
			}
			tree, err := pkgtree.New(files)
			if err != nil {
				t.Fatal(err)
			}
			first := renderedOnce(t, tree)
			changed, err := first.Apply(c.changes)
			if err != nil {
				t.Fatal(err)
			}
			second, err := Render(t.Context(), changed, Options{Functions: bundles{}})
			if d := cmp.Diff(c.want, message(err)); d != "" {
				t.Fatalf("%s (-want +got):\n%s", c.reason, d)
			}
			if err == nil {
				renderedOnce(t, second.Tree)
			}
		})
	}
}

func renderedOnce(t *testing.T, tree pkgtree.Tree) pkgtree.Tree {
	t.Helper()
	result, err := Render(t.Context(), tree, Options{Functions: bundles{}})
	if err != nil {
		t.Fatal(err)
	}
	return result.Tree
}
