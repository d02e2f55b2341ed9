package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/manifests/crds"
)

func TestPageDoesNotDrift(t *testing.T) {
	want, err := page(crds.Files)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/reference/api.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run go generate ./controllers/manifests/reference (-generated +kept):\n%s", diff)
	}
	for _, kind := range []string{"ChangeBudget", "PackageVariant", "PackageVariantSet", "Repository"} {
		if !strings.Contains(want, "\n## "+kind+"\n") {
			t.Errorf("nothing is said of %s", kind)
		}
	}
	for line := range strings.Lines(want) {
		if cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|"); len(cells) > 1 && len(cells) != 5 {
			t.Errorf("this is no row of three cells: %s", line)
		}
	}
}

func TestPage(t *testing.T) {
	const definition = `spec:
  group: example.test
  names: {kind: Thing, shortNames: [th, tg]}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: "Thing is\n a|thing."
        required: [spec]
        properties:
          metadata: {type: object}
          spec:
            description: Spec is wanted.
            type: object
            properties:
              many:
                description: Many of them.
                type: array
                items:
                  type: object
                  x-kubernetes-validations: [{fieldPath: .name, message: no name}]
                  properties: {name: {description: Name of it. Required., type: string}}
              names: {description: Names., type: array, items: {type: string}}
              when: {description: When., type: string, format: date-time}
              labels: {description: Labels., type: object, additionalProperties: {type: string}}
`
	want := preface + "\n## Thing\n\n`example.test/v1`, short `th`, `tg`. Thing is a\\|thing.\n" + `
| field | type | |
|---|---|---|
| ` + "`spec`" + ` | object | Spec is wanted. Required. |
| ` + "`spec.labels`" + ` | map of strings | Labels. |
| ` + "`spec.many`" + ` | list of objects | Many of them. |
| ` + "`spec.many[].name`" + ` | string | Name of it. Required. |
| ` + "`spec.names`" + ` | list of strings | Names. |
| ` + "`spec.when`" + ` | time | When. |

Refused:

* ` + "`spec.many[].name`: no name\n"
	got, err := page(fstest.MapFS{"a.yaml": {Data: []byte(definition)}})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := page(fstest.MapFS{"a.yaml": {Data: []byte("spec: []")}}); err == nil || !strings.HasPrefix(err.Error(), `definition "a.yaml": `) {
		t.Errorf("what cannot be read must be named, got %v", err)
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "api.md")
	if err := run([]string{file}); err != nil {
		t.Fatal(err)
	}
	if err := run(nil); err == nil || err.Error() != "want the file to write, got []" {
		t.Errorf("a forgotten file must be said to be, got %v", err)
	}
}
