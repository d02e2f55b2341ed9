package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFleetPreviewStale commits a work as an earlier release wrote it: rendering both sides makes them the same, and what clusters
// get with the next render is told all the same.
func TestFleetPreviewStale(t *testing.T) {
	root := previewRepo(t)
	shop := filepath.Join(root, "shop")
	const says = " are not what this version of waybill renders from the package, clusters/"
	t.Chdir(shop)
	if r := mustRun(t, "fleet", "preview", "HEAD~1..HEAD"); r.stderr != "" {
		t.Errorf("what was rendered is what clusters have: %s", r.stderr)
	}
	mustRun(t, "fn", "render", ".")
	file := "clusters/b/shop/manifestwork-0.yaml"
	now := readText(t, file)
	old, _, found := strings.Cut(now, "  manifestConfigs:\n")
	if !found {
		t.Fatalf("the work has no manifestConfigs:\n%s", now)
	}
	writeFile(t, file, old, 0o644)
	commitAll(t, root, "an earlier release")
	for _, state := range []string{"before it is rendered", "after"} {
		r := mustRun(t, "fleet", "preview")
		if want := "warning: before, HEAD: 1 of 3 generated works" + says + "b/shop/manifestwork-0.yaml for one;"; !strings.Contains(r.stderr, want) {
			t.Errorf("%s: stderr: %swant: %s", state, r.stderr, want)
		}
		if !strings.Contains(r.stdout, "Nothing changes") {
			t.Errorf("%s: both sides are rendered:\n%s", state, r.stdout)
		}
		if r := runCLI(t, "fleet", "preview", "--exit-code"); r.code != exitFailed {
			t.Errorf("%s: exit code %d: something changes for clusters", state, r.code)
		}
		if r := runCLI(t, "fleet", "preview", "--max-deletions", "0"); r.code != exitRefused || !strings.Contains(r.stderr, "cannot be counted") {
			t.Errorf("%s: exit code %d: the comparison does not say what is deleted:\n%s", state, r.code, r.stderr)
		}
		mustRun(t, "fn", "render", ".")
	}
	r := mustRun(t, "fleet", "preview", "--no-render")
	if r.stderr != "" || !strings.Contains(r.stdout, "how objects are applied changes") {
		t.Errorf("what is committed against what is rendered: %s\n%s", r.stdout, r.stderr)
	}
	commitAll(t, root, "rendered")
	if r := mustRun(t, "fleet", "preview"); r.stderr != "" {
		t.Errorf("it is committed: %s", r.stderr)
	}
}
