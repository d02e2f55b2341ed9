package crds_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// api is where the types are.
const api = "../../../pkg/api/"

// inFilesAlone are kinds that no API server is to know.
var inFilesAlone = []string{"backendplans", "hookrecordings", "maprequests", "relatedresources"}

// TestGeneratedFilesDoNotDrift generates definitions and copies in one run, as types are what takes long.
func TestGeneratedFilesDoNotDrift(t *testing.T) {
	testenv.Long(t, "it builds the generator")
	const drifted = "%s: run go generate ./pkg/api/... ./controllers/manifests/crds (-generated +kept):\n%s"
	folder := t.TempDir()
	copies := generate(t, "crd", "object", "output:crd:dir="+folder, "output:object:stdout")
	want := contents(t, filepath.Join(folder, "*.yaml"))
	for _, kind := range inFilesAlone {
		delete(want, "waybill.dev_"+kind+".yaml")
	}
	if diff := cmp.Diff(want, contents(t, "*.yaml")); diff != "" {
		t.Errorf(drifted, "an API server must know the types as they are", diff)
	}
	for _, pkg := range []string{"porchconfig", "porchconfig/v1alpha2", "midonet", "waybill"} {
		kept := strings.Join(slices.Collect(maps.Values(contents(t, api+pkg+"/zz_*"))), "")
		rest := strings.Replace(copies, kept, "", 1)
		if rest == copies {
			t.Errorf(drifted, "a copy must have every field", cmp.Diff(copies, kept))
		}
		copies = rest
	}
	if copies != "" {
		t.Errorf("copies that are not kept:\n%s", copies)
	}
}

// generate runs the generator over all types, as "go generate" does over some, and returns what it prints.
func generate(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"tool", "controller-gen"}, args...)
	for _, path := range []string{"porchconfig/...", "waybill", "midonet"} {
		args = append(args, "paths="+api+path)
	}
	cmd := exec.Command("go", args...) // #nosec G204 -- the test's own arguments
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// contents are the files of a pattern by their names, of which there is at least one.
func contents(t *testing.T, pattern string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %q (%v)", pattern, err)
	}
	out := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	}
	return out
}
