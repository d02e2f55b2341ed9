package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/merge/schema/openapitable"
)

// TestTableIsCurrent: go generate writes it.
func TestTableIsCurrent(t *testing.T) {
	have, err := os.ReadFile("lists.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(have), openapitable.Table()); d != "" {
		t.Errorf("run make generate (-file +OpenAPI):\n%s", d)
	}
}

func TestBuiltin(t *testing.T) {
	for name, c := range map[string]struct {
		apiVersion, kind, path string
		merges                 bool
		keys                   []string
	}{
		"containers":            {"apps/v1", "Deployment", "spec template spec containers", true, []string{"name"}},
		"ports of a container":  {"v1", "Pod", "spec containers [] ports", true, []string{"containerPort", "protocol"}},
		"ports of a service":    {"v1", "Service", "spec ports", true, []string{"port", "protocol"}},
		"environment":           {"batch/v1", "CronJob", "spec jobTemplate spec template spec initContainers [] env", true, []string{"name"}},
		"finalizers":            {"v1", "ConfigMap", "metadata finalizers", true, nil},
		"arguments":             {"apps/v1", "Deployment", "spec template spec containers [] args", false, nil},
		"tolerations":           {"v1", "Pod", "spec tolerations", false, nil},
		"an unknown kind":       {"x.dev/v1", "Gate", "spec routes", false, nil},
		"an unknown field":      {"apps/v1", "Deployment", "spec nothing", false, nil},
		"data is a plain field": {"v1", "ConfigMap", "data", false, nil},
	} {
		t.Run(name, func(t *testing.T) { check(t, schema.Builtin(c.apiVersion, c.kind), c.path, c.merges, c.keys) })
	}
}

func check(t *testing.T, at *schema.Type, path string, wantMerges bool, wantKeys []string) {
	t.Helper()
	for _, step := range strings.Fields(path) {
		if step == "[]" {
			at = at.Items()
		} else {
			at = at.Field(step)
		}
	}
	keys, merges := at.Merges()
	if merges != wantMerges || cmp.Diff(wantKeys, keys) != "" {
		t.Errorf("%s: got %v, keys %q; want %v, keys %q", path, merges, keys, wantMerges, wantKeys)
	}
}

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: x.dev
  names: {kind: Gate}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              routes: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [host, port], items: {properties: {tags: {x-kubernetes-list-type: set}}}}
              peers: {x-kubernetes-patch-merge-key: id}
              atomic: {x-kubernetes-list-type: atomic, x-kubernetes-patch-merge-key: id}
              keyless: {x-kubernetes-list-type: map}
              byName: {additionalProperties: {properties: {set: {x-kubernetes-list-type: set}}}}
  - name: v2
`

func TestDefined(t *testing.T) {
	objects, err := krm.Read("crd.yaml", []byte(definition), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	types := schema.Defined(objects[0])
	for path, keys := range map[string][]string{
		"spec routes": {"host", "port"}, "spec routes [] tags": nil, "spec peers": {"id"}, "spec byName any set": nil, "metadata finalizers": nil,
	} {
		check(t, types[schema.Kind{APIVersion: "x.dev/v1", Kind: "Gate"}], path, true, keys)
	}
	for _, path := range []string{"spec atomic", "spec keyless", "spec other", "spec"} {
		check(t, types[schema.Kind{APIVersion: "x.dev/v1", Kind: "Gate"}], path, false, nil)
	}
	check(t, types[schema.Kind{APIVersion: "x.dev/v2", Kind: "Gate"}], "spec routes", false, nil)
}

func FuzzDefined(f *testing.F) {
	f.Add(definition)
	f.Fuzz(func(t *testing.T, text string) {
		objects, err := krm.Read("crd.yaml", []byte(text), krm.Limits{})
		if err != nil {
			return
		}
		for _, o := range objects {
			for kind, at := range schema.Defined(o) {
				if keys, ok := at.Field("metadata").Field("finalizers").Merges(); !ok || len(keys) > 0 {
					t.Errorf("%v: every object has finalizers, a set", kind)
				}
			}
		}
	})
}
