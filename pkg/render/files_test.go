package render

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadDir reads all files of a package only if a function in it asks for files, and follows no link.
func TestReadDir(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, step string
		want         []string
	}{
		"linked":   {"an image of ours", "image: ghcr.io/waybill-dev/kustomize:v0.1.0", []string{".krmignore", "Kptfile", "charts/a.tgz", "charts/values.yaml", "sub/Kptfile"}},
		"mirrored": {"the same image, elsewhere", "image: registry.example.com:5000/kustomize@sha256:0000000000000000000000000000000000000000000000000000000000000000", []string{".krmignore", "Kptfile", "charts/a.tgz", "charts/values.yaml", "sub/Kptfile"}},
		"program":  {"a program of its name", "exec: /opt/bin/kustomize", []string{".krmignore", "Kptfile", "charts/a.tgz", "charts/values.yaml", "sub/Kptfile"}},
		"other":    {"a function that reads no files", "image: ghcr.io/waybill-dev/set-labels:v0.1.0", []string{".krmignore", "Kptfile", "charts/values.yaml", "sub/Kptfile"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n", ".krmignore": "charts/\n",
				"charts/a.tgz": "\x1f\x8b", "charts/values.yaml": "{{ x }}",
				"sub/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: sub}\npipeline: {mutators: [{" + tc.step + "}]}\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, link := range []string{"charts/link.txt", "charts/link.yaml"} { // hidden: no error, and not followed
				if err := os.Symlink("/etc/passwd", filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			tree, err := ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, slices.Clone(tree.Paths())); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.yaml")); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadDir(dir); err == nil {
				t.Error("a link in the place of a resource is no error")
			}
		})
	}
}
