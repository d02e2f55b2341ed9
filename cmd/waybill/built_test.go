package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// buildsDir is where the program is built for the tests of this run; TestMain makes and removes it.
var buildsDir string

// build builds the program: linking it takes longer than most tests.
var build = sync.OnceValues(func() (string, error) {
	at := filepath.Join(buildsDir, "waybill")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", at, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
})

// placeWaybill puts the program, built once for all tests, at path.
func placeWaybill(t *testing.T, path string) {
	t.Helper()
	if out, err := build(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(buildsDir, "waybill"), path); err != nil {
		t.Fatal(err)
	}
}
