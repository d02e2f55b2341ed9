package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// porchDifferences are what Porch and waybill write differently on purpose, besides the form of YAML. docs/porch.md lists them.
var porchDifferences = []struct {
	what    string // as the page has it
	without func(file string, o map[string]any)
}{
	{"merge marks of the Kptfile and of the package context", func(file string, o map[string]any) {
		if strings.HasSuffix(file, "Kptfile") || strings.HasSuffix(file, "package-context.yaml") {
			withoutField(o, "metadata", "annotations", "internal.kpt.dev/upstream-identifier")
		}
	}},
	{"the upstream's `ref`", func(_ string, o map[string]any) {
		withoutField(o, "upstream", "git", "ref")
		withoutField(o, "upstreamLock", "git", "ref")
	}},
	{"`spec.labels` and `spec.annotations` of a variant", func(file string, o map[string]any) {
		if strings.HasSuffix(file, "Kptfile") {
			withoutField(o, "metadata", "labels")
			withoutField(o, "metadata", "annotations")
		}
	}},
	{"objects with `metadata` in flow style whose namespace a function set", func(file string, o map[string]any) {
		if namespaced, _ := o["metadata"].(map[string]any); strings.HasSuffix(file, "app.yaml") && namespaced["namespace"] != nil {
			withoutField(o, "data", "greeting")
			withoutField(o, "metadata", "annotations", "internal.kpt.dev/upstream-identifier")
		}
	}},
}

// porchObjects are the objects of a package by file.
func porchObjects(t *testing.T, repository, branch, pkg string) map[string][]map[string]any {
	t.Helper()
	out := map[string][]map[string]any{}
	for file := range strings.Lines(gittest.Git(t, repository, "ls-tree", "-r", "--name-only", branch, pkg+"/")) {
		file = strings.TrimSpace(file)
		for d := yaml.NewDecoder(strings.NewReader(gittest.Git(t, repository, "show", branch+":"+file))); ; {
			var o map[string]any
			err := d.Decode(&o)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out[file] = append(out[file], o)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no file", branch)
	}
	return out
}

// withoutField removes a field, and the map that held it if nothing else is there.
func withoutField(o map[string]any, path ...string) {
	at := o
	for _, name := range path[:len(path)-1] {
		next, ok := at[name].(map[string]any)
		if !ok {
			return
		}
		at = next
	}
	if delete(at, path[len(path)-1]); len(at) == 0 && len(path) > 1 {
		withoutField(o, path[:len(path)-1]...)
	}
}
