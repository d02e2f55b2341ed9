package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// buildsDir is where the program is built for the tests of this run; TestMain makes and removes it.
var buildsDir string

// isWaybill reports whether this test binary was started as the program: under one of its names.
func isWaybill() bool {
	return slices.Contains([]string{"waybill", "kubectl-waybill", "kubectl_complete-waybill"}, filepath.Base(os.Args[0]))
}

// build builds the program: linking it takes longer than most tests. In a short run the program is a copy of this
// test binary, which TestMain has be the program.
var build = sync.OnceValues(func() (string, error) {
	at := filepath.Join(buildsDir, "waybill")
	if testenv.Short() {
		return "", copySelf(at)
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", at, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
})

// copySelf puts a copy of this test binary, which may lie on another disk, at path.
func copySelf(path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if out, err := exec.Command("cp", self, path).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the test binary: %w: %s", err, out)
	}
	return nil
}

// installWaybill puts the program, built once for all tests, at path.
func installWaybill(t testing.TB, path string) {
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
