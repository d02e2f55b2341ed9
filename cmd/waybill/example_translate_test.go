package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const translateExample = "../../examples/translate"

// TestExampleTranslate runs the commands of the example's README: it prints what the README
// shows and nothing else, and files nothing outside of the folder that the README speaks of.
func TestExampleTranslate(t *testing.T) {
	page, dir := filepath.Join(translateExample, "README.md"), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(translateExample)); err != nil {
		t.Fatal(err)
	}
	out := runPage(t, page, dir, strings.NewReplacer(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "LC_ALL=C")
	shown := strings.Join(slices.Concat(blocks(t, page, "text")...), "\n") + "\n"
	if diff := cmp.Diff(shown, out); diff != "" {
		t.Errorf("(-README +program):\n%s", diff)
	}
	var changed []string
	for _, file := range readTree(t, translateExample).Diff(readTree(t, dir)) {
		if !strings.HasPrefix(file, "translations/") {
			changed = append(changed, file)
		}
	}
	want := []string{"app/service.yaml", "observed/endpoints.yaml", "translate.yaml"}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("files besides Translations that change (-want +got):\n%s", diff)
	}
}

// TestExampleTranslateRendered wants the folder to be what its pipeline makes of it.
func TestExampleTranslateRendered(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(translateExample)); err != nil {
		t.Fatal(err)
	}
	waybill(t, "fn", "render", dir)
	if changed := readTree(t, translateExample).Diff(readTree(t, dir)); len(changed) > 0 {
		t.Errorf("a render changes %v", changed)
	}
}
