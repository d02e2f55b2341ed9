package main

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// FuzzLaws gives the function whatever can be read as objects: it must not panic or hang, and the
// laws hold, whether it refuses or not.
func FuzzLaws(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatalf("no golden cases to begin with (%v)", err)
	}
	for i, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range ar.Files {
			if part.Name == "in.yaml" {
				f.Add(part.Data, i%2 == 0, i%3 == 0, i%5 == 0)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, all, clean, warn bool) {
		items, err := krm.Read("in.yaml", data, krm.Limits{})
		if err != nil {
			return // refused before any function sees it
		}
		in := &fn.Input{Items: items, Config: options(t, all, clean, warn)}
		for i, o := range items {
			o.SetPath("in.yaml", i)
			dropComments(o.Node())
		}
		fntest.CheckLaws(t, transform.Function, in, nil)
	})
}

// dropComments leaves comments to the golden cases: those of a field rightly go with it, and where
// others stand after they were written and read again is the business of YAML.
func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		dropComments(c)
	}
}

func options(t *testing.T, all, clean, warn bool) *krm.Object {
	opts := transform.FunctionOptions{Scope: "bound", Clean: clean, OnError: "error"}
	if all {
		opts.Scope = "all"
	}
	if warn {
		opts.OnError = "warn"
	}
	config, err := krm.FromTyped(map[string]any{"apiVersion": "fn.waybill.dev/v1alpha1", "kind": "CustomTransform",
		"metadata": map[string]string{"name": "config"}, "spec": opts})
	if err != nil {
		t.Fatal(err)
	}
	return config
}
