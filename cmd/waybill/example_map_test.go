package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const mapExample = "../../examples/map"

// TestExampleMap runs the commands of the example's README: it prints what the README shows and
// nothing else. The folder is rendered as it stands.
func TestExampleMap(t *testing.T) {
	page, dir := filepath.Join(mapExample, "README.md"), filepath.Join(t.TempDir(), "map")
	if err := os.CopyFS(dir, os.DirFS(mapExample)); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + buildWaybill(t) + ":" + os.Getenv("PATH"), "LC_ALL=C"}
	waybill(t, "fn", "render", dir)
	if diff := cmp.Diff([]string(nil), readTree(t, mapExample).Diff(readTree(t, dir))); diff != "" {
		t.Errorf("files that a render changes (-want +got):\n%s", diff)
	}
	out := runPage(t, page, dir, strings.NewReplacer(), env...)
	shown := strings.Join(slices.Concat(blocks(t, page, "text")...), "\n") + "\n"
	if diff := cmp.Diff(shown, out); diff != "" {
		t.Errorf("(-README +program):\n%s", diff)
	}
}
