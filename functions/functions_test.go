// Package functions holds the folders of functions to what the catalog links in and to what they
// say about themselves.
package functions

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

//go:generate go test . -run ^TestReadmes$ -update

// TestFolders wants a folder for every function of the catalog, and none besides.
func TestFolders(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, f := range catalog.Functions {
		want = append(want, f.Name)
	}
	for _, file := range mains {
		got = append(got, filepath.Dir(file))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("folders of functions (-catalog +folders):\n%s", diff)
	}
}

// TestReadmes holds every README to the text that the function prints with --help; -update writes
// them.
func TestReadmes(t *testing.T) {
	for _, f := range catalog.Functions {
		file := filepath.Join(f.Name, "README.md")
		if *fntest.Update {
			if err := os.WriteFile(file, []byte(f.Doc.README), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(f.Doc.README, read(t, file)); diff != "" {
			t.Errorf("%s has drifted; run make generate (-function +file):\n%s", file, diff)
		}
	}
}

// TestMetadata holds metadata.yaml to the catalog's conventions and to the function.
func TestMetadata(t *testing.T) {
	for _, f := range catalog.Functions {
		var got struct {
			Image              string   `json:"image"`
			Description        string   `json:"description"`
			Tags               []string `json:"tags"`
			SourceURL          string   `json:"sourceURL"`
			ExamplePackageURLs []string `json:"examplePackageURLs"`
			Emails             []string `json:"emails"`
			License            string   `json:"license"`
		}
		file := filepath.Join(f.Name, "metadata.yaml")
		if err := yaml.UnmarshalStrict([]byte(read(t, file)), &got); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		const source = "https://github.com/waybill-dev/waybill/tree/main/"
		want := []string{catalog.Registry + "/" + f.Name, f.Doc.Short, source + "functions/" + f.Name, "Apache-2.0"}
		if diff := cmp.Diff(want, []string{got.Image, got.Description, got.SourceURL, got.License}); diff != "" {
			t.Errorf("%s: image, description, sourceURL, license (-want +got):\n%s", file, diff)
		}
		if len(got.Tags) == 0 || len(got.ExamplePackageURLs) == 0 {
			t.Errorf("%s: name tags and examples", file)
		}
		for _, url := range got.ExamplePackageURLs {
			dir, ours := strings.CutPrefix(url, source)
			if _, err := os.Stat(filepath.Join("..", dir)); !ours || err != nil {
				t.Errorf("%s: example %s is not in this repository: %v", file, url, err)
			}
		}
	}
}

// TestListed wants every function in the reference.
func TestListed(t *testing.T) {
	page := read(t, "../docs/reference/functions.md")
	for _, f := range catalog.Functions {
		if !strings.Contains(page, "[`"+f.Name+"`](../../functions/"+f.Name+"/README.md)") {
			t.Errorf("docs/reference/functions.md does not list %s", f.Name)
		}
	}
}

// TestExamples renders the example of every README, and holds every work in it to OCM's rules.
func TestExamples(t *testing.T) {
	for _, f := range catalog.Functions {
		t.Run(f.Name, func(t *testing.T) {
			example := fntest.ReadExample(f.Doc.README)
			if len(example.In) == 0 || len(example.Out) == 0 {
				t.Fatal("the README has no example, or it shows no output")
			}
			for _, text := range example.Fragments {
				checkFragment(t, f, text)
			}
			got := rendered(t, example.In)
			for file, want := range example.Out {
				data, _ := got.Get(file)
				if diff := cmp.Diff(string(want), string(data)); diff != "" {
					t.Errorf("%s (-README +rendered):\n%s", file, diff)
				}
			}
		})
	}
}

func rendered(t *testing.T, files map[string][]byte) pkgtree.Tree {
	t.Helper()
	tree, err := renderInProcess(t, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := ocmcheck.Tree(tree); len(faults) > 0 {
		t.Errorf("works that OCM refuses:\n%s", strings.Join(faults, "\n"))
	}
	return tree
}

// renderInProcess renders a package with the functions that are linked in.
func renderInProcess(t *testing.T, files map[string][]byte) (pkgtree.Tree, error) {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	factory, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), tree, render.Options{Functions: factory})
	if err != nil {
		return tree, err
	}
	return result.Tree, nil
}

// checkFragment reads a pipeline as kpt would, and gives options to the function, which must know
// all of them.
func checkFragment(t *testing.T, f *fn.Function, text string) {
	t.Helper()
	if strings.HasPrefix(text, "pipeline:") {
		k, err := kptfile.Parse("Kptfile", []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: example\n"+text))
		if err == nil {
			err = k.ValidatePipeline()
		}
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
		}
		return
	}
	objs, err := krm.Read("example", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objs {
		if !o.Is("fn.waybill.dev", f.Kind) {
			continue
		}
		for _, r := range f.Apply(context.Background(), &fn.Input{Config: o}).Results {
			if r.ResourceRef != nil && r.ResourceRef.Kind == f.Kind {
				t.Errorf("the options are refused: %s:\n%s", fn.FormatResult(r), text)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
