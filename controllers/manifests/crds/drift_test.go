package crds_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// generate runs the generator as "go generate" does, but into a folder of the test's own.
func generate(t *testing.T, what, output string, paths ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	args := []string{"tool", "controller-gen", what, output + folder}
	for _, path := range paths {
		args = append(args, "paths="+path)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil { // #nosec G204 -- the test's own arguments
		t.Fatalf("go %q: %v\n%s", args, err, out)
	}
	return folder
}

// inFilesAlone are kinds that no API server is to know.
var inFilesAlone = []string{"backendplans", "hookrecordings", "maprequests", "relatedresources"}

func TestGeneratedFilesDoNotDrift(t *testing.T) {
	const api = "../../../pkg/api/"
	for name, tc := range map[string]struct {
		reason, what, output, folder, files string
		paths                               []string
	}{
		"definitions":       {"an API server must know the types as they are", "crd", "output:crd:dir=", ".", "*.yaml", []string{api + "porchconfig/...", api + "waybill", api + "midonet"}},
		"copies":            {"a copy must have every field", "object", "output:object:dir=", api + "porchconfig", "zz_*", []string{api + "porchconfig"}},
		"copies of v2":      {"a copy must have every field", "object", "output:object:dir=", api + "porchconfig/v1alpha2", "zz_*", []string{api + "porchconfig/v1alpha2"}},
		"copies of midonet": {"a copy must have every field", "object", "output:object:dir=", api + "midonet", "zz_*", []string{api + "midonet"}},
		"copies of budget":  {"a copy must have every field", "object", "output:object:dir=", api + "waybill", "zz_*", []string{api + "waybill"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := contents(t, filepath.Join(generate(t, tc.what, tc.output, tc.paths...), tc.files))
			for _, kind := range inFilesAlone {
				delete(want, "waybill.dev_"+kind+".yaml")
			}
			if diff := cmp.Diff(want, contents(t, filepath.Join(tc.folder, tc.files))); diff != "" {
				t.Errorf("%s: run go generate ./pkg/api/... ./controllers/manifests/crds (-generated +kept):\n%s", tc.reason, diff)
			}
		})
	}
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
