package ocmtest

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// Package is a package of a fleet as it is in Git, with a Kptfile whose functions write works.
type Package struct{ tree pkgtree.Tree }

// Write changes files; nil removes one.
func (p *Package) Write(t testing.TB, files map[string][]byte) {
	t.Helper()
	var err error
	if p.tree, err = p.tree.Apply(files); err != nil {
		t.Fatal(err)
	}
}

// Render renders the package in place with the functions of this checkout, and returns the works under clusters/. A second
// render that would change anything fails the test.
func (p *Package) Render(t testing.TB) []*unstructured.Unstructured {
	t.Helper()
	once := rendered(t, p.tree)
	if changed := once.Diff(rendered(t, once)); len(changed) > 0 {
		t.Fatalf("a second render changes %q", changed)
	}
	p.tree = once
	return works(t, once.Sub("clusters"))
}

func rendered(t testing.TB, tree pkgtree.Tree) pkgtree.Tree {
	t.Helper()
	functions, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), tree, render.Options{Functions: functions})
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return result.Tree
}

// Works reads every file of a folder, as a GitOps agent does.
func Works(t testing.TB, folder string) []*unstructured.Unstructured {
	t.Helper()
	tree, err := pkgtree.ReadDir(folder, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return works(t, tree)
}

// works reads every file of a tree, as a GitOps agent does.
func works(t testing.TB, tree pkgtree.Tree) (works []*unstructured.Unstructured) {
	t.Helper()
	for path, blob := range tree.All() {
		for text := range strings.SplitSeq(string(blob.Data()), "\n---\n") {
			w := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(text), w); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			works = append(works, w)
		}
	}
	return works
}
