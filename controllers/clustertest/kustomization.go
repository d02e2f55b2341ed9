package clustertest

import (
	"os"
	"path/filepath"
	"testing"
)

// Kustomization is a folder outside of ours, as users have one, with a kustomization of the manifests in a folder and of components
// below it.
func Kustomization(t testing.TB, manifests string, components ...string) (folder string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	base, err := filepath.Abs(manifests)
	if err == nil {
		base, err = filepath.Rel(folder, base)
	}
	if err != nil {
		t.Fatal(err)
	}
	text := "resources:\n- " + base + "\ncomponents:\n"
	for _, component := range components {
		text += "- " + base + "/" + component + "\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}
