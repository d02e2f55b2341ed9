package crds_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/manifests/crds"
)

// explained is what kubectl explains in tests: a file in testdata for each.
var explained = []string{
	"packagevariant", "packagevariant.spec", "packagevariant.spec.upstream", "packagevariantset.spec.targets.template",
	"repository.spec.git", "changebudget.spec", "publishedresource.spec",
}

var update = flag.Bool("update", false, "rewrite what kubectl explains")

// TestExplain keeps what people read.
func TestExplain(t *testing.T) {
	w := newServer(t)
	for _, what := range explained {
		t.Run(what, func(t *testing.T) {
			got := w.explain(t, what)
			file := filepath.Join("testdata", "explain", what+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil { // #nosec G306 -- a file of the repository
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("kubectl explain %s (-want +got):\n%s", what, diff)
			}
		})
	}
}

// explain asks until the API server has published the schemas, which it does a moment after it serves
// the kinds.
func (w *server) explain(t *testing.T, what string) string {
	t.Helper()
	var err error
	for range 100 {
		var text string
		if text, err = w.Kubectl(t, w.Admin(), "", "explain", what); err == nil {
			return text
		}
	}
	t.Fatal(err)
	return ""
}

// TestEveryFieldIsDescribed walks through the schemas: a field without a description explains nothing,
// and none has a default.
func TestEveryFieldIsDescribed(t *testing.T) {
	files, err := crds.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := crds.Files.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		var definition struct {
			Spec struct {
				Versions []struct {
					Name   string
					Schema struct{ OpenAPIV3Schema schema }
				}
			}
		}
		if err := yaml.Unmarshal(data, &definition); err != nil {
			t.Fatal(err)
		}
		for _, v := range definition.Spec.Versions {
			for name, of := range v.Schema.OpenAPIV3Schema.Properties {
				if name != "metadata" { // the API server describes it
					count += described(t, file.Name()+" "+v.Name+" "+name, of)
				}
			}
		}
	}
	if count < 200 {
		t.Errorf("only %d fields were looked at", count)
	}
}

type schema struct {
	Description string
	Default     any
	Properties  map[string]schema
	Items       *schema
}

func described(t *testing.T, at string, s schema) (count int) {
	t.Helper()
	if strings.TrimSpace(s.Description) == "" {
		t.Errorf("%s has no description", at)
	}
	if s.Default != nil {
		t.Errorf("%s has a default: what people wrote must stay as they wrote it", at)
	}
	if s.Items != nil {
		s = *s.Items
	}
	for name, of := range s.Properties {
		count += described(t, at+"."+name, of)
	}
	return count + 1
}

func TestColumns(t *testing.T) {
	w := newServer(t)
	for name, tc := range map[string]struct {
		reason, kind, spec, short string
		want                      []string // of the header, then of the line but for the age
	}{
		"variant":    {"where it goes and whether it is there", "PackageVariant", fine, "pkgvar", []string{"NAME", "READY", "DOWNSTREAM", "PACKAGE", "REASON", "AGE", "shown", "True", "e", "upf", "Fine"}},
		"set":        {"what it brings and whether it is there", "PackageVariantSet", from + "targets: [{repositorySelector: {}}]", "pkgvarset", []string{"NAME", "READY", "UPSTREAM", "PACKAGE", "REASON", "AGE", "shown", "True", "b", "upf", "Fine"}},
		"repository": {"what it is for and where it is", "Repository", "type: git, deployment: true, git: {repo: x.git}", "pkgrepo", []string{"NAME", "TYPE", "DEPLOYMENT", "READY", "REASON", "REPO", "AGE", "shown", "git", "true", "True", "Fine", "x.git"}},
		"budget":     {"its limits, 0 among them", "ChangeBudget", "maxClusters: 3, maxObjects: 20, maxDeletions: 0", "budget", []string{"NAME", "CLUSTERS", "OBJECTS", "DELETIONS", "READY", "EXCEEDED", "AGE", "shown", "3", "20", "0", "True"}},
		"published":  {"what it offers and whether it is kept", "PublishedResource", "resource: {apiGroup: a.example, kind: Order}", "publishedresources", []string{"NAME", "GROUP", "KIND", "READY", "REASON", "AGE", "shown", "a.example", "Order", "True", "Fine"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := w.object(t, tc.kind, "shown", tc.spec)
			if err := w.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			o.Object["status"] = value(t, "{conditions: [{type: Ready, status: 'True', reason: Fine, message: m, lastTransitionTime: '2026-01-01T00:00:00Z'}]}")
			if err := w.Status().Update(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			got, err := w.Kubectl(t, w.Admin(), "", "get", tc.short, "-n", w.namespace)
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(got)
			if diff := cmp.Diff(tc.want, words[:max(len(words)-1, 0)]); diff != "" { // the age comes last
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	all, err := w.Kubectl(t, w.Admin(), "", "get", "waybill", "-n", w.namespace, "-o", "name")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"changebudget.waybill.dev/shown", "packagevariant.config.porch.kpt.dev/shown",
		"packagevariantset.config.porch.kpt.dev/shown", "publishedresource.waybill.dev/shown", "repository.config.porch.kpt.dev/shown",
	}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(strings.Fields(all)))); diff != "" {
		t.Errorf("one category holds all kinds (-want +got):\n%s", diff)
	}
}
