package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

const statusExample = "../../examples/fleet-status"

// TestExampleStatus runs the commands of the example's README: it prints what the README
// shows and nothing else, and changes the files that the README speaks of.
func TestExampleStatus(t *testing.T) {
	page, dir := filepath.Join(statusExample, "README.md"), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(statusExample)); err != nil {
		t.Fatal(err)
	}
	out := runPage(t, page, dir, strings.NewReplacer(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "LC_ALL=C")
	shown := strings.Join(slices.Concat(blocks(t, page, "text")...), "\n") + "\n"
	if diff := cmp.Diff(shown, out); diff != "" {
		t.Errorf("(-README +program):\n%s", diff)
	}
	want := []string{"reports/boston-1.yaml", "reports/zurich-1.yaml", "status/shop/shop/deployment_frontend.yaml"}
	if diff := cmp.Diff(want, readTree(t, statusExample).Diff(readTree(t, dir))); diff != "" {
		t.Errorf("files that change (-want +got):\n%s", diff)
	}
}

// TestFunctionStatus shows the example of combine-status as its README does.
func TestFunctionStatus(t *testing.T) {
	for _, f := range catalog.Functions {
		if f.Name != "combine-status" {
			continue
		}
		dir := t.TempDir()
		writePackage(t, dir, fntest.ReadExample(f.Doc.README).In, unchanged)
		checkShown(t, "../../functions/combine-status/README.md", "fleet status", waybill(t, "fleet", "status", dir))
		return
	}
	t.Error("the catalog has no combine-status")
}
