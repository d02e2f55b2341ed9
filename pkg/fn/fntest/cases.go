package fntest

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Cases are the golden cases that glob matches, each as its sections by name, for tests that start from them. No match ends
// the test, as in Run.
func Cases(t testing.TB, glob string) (cases []map[string][]byte) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden cases match %q (%v)", glob, err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string][]byte{}
		for _, f := range ar.Files {
			sections[f.Name] = f.Data
		}
		cases = append(cases, sections)
	}
	return cases
}
