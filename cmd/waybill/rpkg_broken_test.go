package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgBroken pushes a package that does not render to a draft that is kept nevertheless: it says so, and is published only by force.
func TestRpkgBroken(t *testing.T) {
	const name = "deployments.eu.web.one"
	fleet := newRpkgFleet(t)
	dir := filepath.Join(t.TempDir(), "web")
	broken := strings.Replace(rpkgKptfile, "  name: web\n", "  name: web\n  annotations:\n    porch.kpt.dev/push-on-render-failure: \"true\"\n", 1) +
		"pipeline:\n  mutators:\n  - image: set-namespace:v0.4\n    configMap:\n      nonsense: \"1\"\n"
	do := func(args ...string) cliRun { t.Helper(); return runCLI(t, append([]string{"rpkg"}, args...)...) }
	push := func(text string) cliRun {
		t.Helper()
		writeFile(t, filepath.Join(dir, "Kptfile"), text, 0o644)
		return do("push", "-f", fleet.file, name, dir)
	}
	do("pull", "-f", fleet.file, name, dir)
	if got := push(strings.Replace(broken, "push-on", "x-on", 1)); got.code == 0 || !strings.Contains(got.stderr, "does not render, and nothing was written") {
		t.Errorf("without the annotation nothing is pushed; got %+v", got)
	}
	warning := "warning: " + name + ` does not render: render package "web": function `
	if got := push(broken); got.code != 0 || got.stdout != name+" pushed\n" || !strings.HasPrefix(got.stderr, warning) {
		t.Fatalf("with it the draft is kept; got %+v", got)
	}
	if got := gittest.Git(t, fleet.repo, "show", "drafts/eu/web/one:eu/web/Kptfile"); !strings.Contains(got, "type: Rendered\n") || !strings.Contains(got, "reason: RenderFailed\n") {
		t.Errorf("the Kptfile says why; got\n%s", got)
	}
	if got := push(broken); got.stdout != name+" unchanged\n" {
		t.Errorf("the same again is the same; got %+v", got)
	}
	if got := do("get", "-f", fleet.file, name); got.code != 0 || !strings.HasPrefix(got.stderr, warning) {
		t.Errorf("get warns; got %+v", got)
	}
	if got := do("get", "-f", fleet.file, "-o", "json"); strings.Count(got.stdout, `"renderError"`) != 1 || strings.Count(got.stderr, "warning: ") != 1 {
		t.Errorf("and has a field for it; got %+v", got)
	}
	for _, verb := range []string{"propose", "approve"} {
		refused := do(verb, "-f", fleet.file, name)
		if refused.code == 0 || !strings.Contains(refused.stderr, name+" does not render, and nothing was changed: ") || !strings.Contains(refused.stderr, "use --force") {
			t.Errorf("%s refuses; got %+v", verb, refused)
		}
		if got := do(verb, "-f", fleet.file, "--force", name); got.code != 0 {
			t.Errorf("%s goes on by force; got %+v", verb, got)
		}
	}
}

// TestRpkgMended pushes what renders to a draft that did not.
func TestRpkgMended(t *testing.T) {
	const name = "deployments.eu.web.one"
	fleet := newRpkgFleet(t)
	dir := filepath.Join(t.TempDir(), "web")
	runCLI(t, "rpkg", "pull", "-f", fleet.file, name, dir)
	writeFile(t, filepath.Join(dir, "Kptfile"), strings.Replace(rpkgKptfile, "  name: web\n", "  name: web\n  annotations:\n    porch.kpt.dev/push-on-render-failure: \"true\"\n", 1)+
		"status:\n  conditions:\n  - type: Other\n    status: \"True\"\n  - type: Rendered\n    status: \"False\"\n    reason: RenderFailed\n    message: before\n", 0o644)
	if got := runCLI(t, "rpkg", "push", "-f", fleet.file, name, dir); got.code != 0 || got.stderr != "" {
		t.Fatalf("got %+v", got)
	}
	if got := gittest.Git(t, fleet.repo, "show", "drafts/eu/web/one:eu/web/Kptfile"); strings.Contains(got, "Rendered") || !strings.Contains(got, "type: Other") {
		t.Errorf("the condition goes, and others stay; got\n%s", got)
	}
	if got := runCLI(t, "rpkg", "propose", "-f", fleet.file, name); got.code != 0 {
		t.Errorf("it can be proposed; got %+v", got)
	}
}
