package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// executedPages are the documents with commands, and the tests that run them all.
var executedPages = map[string]string{
	"docs/budgets.md": "TestBudgetsPage", "docs/cache.md": "TestCachePage", "docs/charts.md": "TestChartsPage", "docs/controller.md": "TestControllerPage",
	"docs/delivery-recipes.md": "TestDeliveryRecipes", "docs/explain.md": "TestExplainPage", "docs/helm.md": "TestHelmPage", "docs/install.md": "TestInstallPage",
	"docs/kustomize.md": "TestKustomizePage", "docs/oci.md": "TestOCIPage", "docs/preview.md": "TestPreviewPage", "docs/publish.md": "TestPublishPage",
	"docs/push.md": "TestPushPage", "docs/report.md": "TestReportPage", "docs/shards.md": "TestShardsPage",
	"docs/tutorials/1-first-package.md": "TestTutorials", "docs/tutorials/2-upgrade-with-conflict.md": "TestTutorials",
	"docs/tutorials/3-with-kpt.md": "TestTutorials", "docs/tutorials/4-from-kubestellar.md": "TestTutorials", "docs/tutorials/5-beside-porch.md": "TestTutorials",
	"examples/delivery/README.md": "TestExampleDelivery", "examples/edge-fleet/README.md": "TestExampleFleet",
	"examples/fleet-status/README.md": "TestExampleStatus", "examples/helm-fleet/README.md": "TestExampleHelm", "examples/map/README.md": "TestExampleMap",
	"examples/sync/README.md": "TestExampleSync", "examples/translate/README.md": "TestExampleTranslate",
}

// TestDocumentsRun wants every document with commands of a shell to be run by a test.
func TestDocumentsRun(t *testing.T) {
	var found []string
	for _, file := range documents(t) {
		if len(blocks(t, file, "sh")) > 0 {
			found = append(found, filepath.ToSlash(strings.TrimPrefix(file, filepath.FromSlash("../../"))))
		}
	}
	slices.Sort(found)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(executedPages)), found); diff != "" {
		t.Errorf("documents with blocks called sh (-run by a test +found):\n%s", diff)
	}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, file := range tests {
		data, err := os.ReadFile(file) // #nosec G304 -- our tests
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	for page, test := range executedPages {
		if !strings.Contains(text.String(), "\nfunc "+test+"(t *testing.T)") {
			t.Errorf("%s: there is no %s", page, test)
		}
	}
}

// changedPackage is a copy of a package in a folder of the working directory, which becomes a repository: main is at the remote, HEAD
// is a commit later, and the work tree differs from that.
func changedPackage(t *testing.T, from, folder string) {
	t.Helper()
	if err := os.CopyFS(folder, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(folder, "app", "frontend.yaml")
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main")
	commitAll(t, ".", "one")
	for _, name := range []string{"main", "environment/staging"} {
		gittest.Git(t, ".", "update-ref", "refs/remotes/origin/"+name, "HEAD")
	}
	rewrite(t, app, "replicas: 2", "replicas: 3")
	commitAll(t, ".", "two")
	gittest.Git(t, ".", "update-ref", "refs/remotes/origin/environment/staging-next", "HEAD")
	rewrite(t, app, "replicas: 3", "replicas: 4")
}

func absolute(t *testing.T, file string) string {
	t.Helper()
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// TestPreviewPage runs the commands of the page on previews: each shows a change.
func TestPreviewPage(t *testing.T) {
	page, from, path := absolute(t, "../../docs/preview.md"), absolute(t, blueprint), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH")
	files := variantFleet(t)
	done(t, "reconcile", "-f", "fleet")
	approveAll(t)
	const app = "shop/app/frontend.yaml"
	files[app] = strings.Replace(files[app], "replicas: 2", "replicas: 5", 1)
	gittest.Commit(t, "blueprints.git", gittest.Change{Files: gittest.Files(files)})
	gittest.Git(t, "blueprints.git", "tag", "shop/v2", "main")
	rewrite(t, "fleet/variants.yaml", "revision: 1", "revision: 2")
	writeFile(t, ".gitignore", "*.git\n", 0o644)
	changedPackage(t, from, "shop")
	done(t, "reconcile", "-f", "fleet")
	out := runPage(t, page, ".", strings.NewReplacer(), append(gitUser(t), path)...)
	commands := strings.Count(strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n"), "waybill fleet preview")
	if shown := strings.Count(out, " of 6 clusters change"); commands < 6 || shown != commands {
		t.Errorf("%d of %d previews show a change:\n%s", shown, commands, out)
	}
}

// TestReportPage runs the commands of the page on reports: each draws the fleet.
func TestReportPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	page, from, path := absolute(t, "../../docs/report.md"), absolute(t, blueprint), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH")
	t.Chdir(t.TempDir())
	changedPackage(t, from, "examples/edge-fleet/blueprint")
	out := runPage(t, page, ".", strings.NewReplacer(), append(gitUser(t), path, "WAYBILL_CACHE_DIR="+t.TempDir())...)
	for _, file := range []string{"fleet.html", "report.html", "what-if.html"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "zurich-1") {
			t.Errorf("%s: %v, %d bytes", file, err, len(text))
		}
	}
	if !strings.HasPrefix(out, "flowchart LR\n") || !strings.Contains(out, "Deployment shop/frontend") {
		t.Errorf("the graph is:\n%s", out)
	}
}

// TestInstallPage clones a copy of this tree and builds it, as the page says, has the program look at the machine, and makes it a
// plugin of kubectl. A kubectl of the test does what kubectl does with plugins.
func TestInstallPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	testenv.Long(t, "it builds every program")
	source, home := filepath.Join(t.TempDir(), "waybill.git"), t.TempDir()
	for _, dir := range []string{"cmd", "controllers", "docs", "examples", "functions", "pkg"} {
		if err := os.CopyFS(filepath.Join(source, dir), os.DirFS(filepath.Join("../..", dir))); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum", "Makefile", "LICENSE", "Kptfile"} {
		data, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(source, file), string(data), 0o644)
	}
	gittest.Git(t, source, "init", "--quiet", "--initial-branch=main")
	commitAll(t, source, "one")
	writeFile(t, filepath.Join(home, "bin", "kubectl"), "#!/bin/sh\nplugin=kubectl-$1\nshift\nexec \"$plugin\" \"$@\"\n", 0o755)
	env := append(gitUser(t), "PATH="+filepath.Join(home, "waybill", "bin")+":"+filepath.Join(home, "bin")+":"+os.Getenv("PATH"),
		"GOFLAGS=-trimpath", "KUBECONFIG="+filepath.Join(home, "none"), "WAYBILL_CACHE_DIR="+filepath.Join(home, "cache"))
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOENV"} { // HOME is another one
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	commands := commandsOf(t, installPage, func(heading string) bool { return heading != fromRelease && heading != airGapped })
	commands = strings.ReplaceAll(commands, "https://github.com/waybill-dev/waybill.git", source)
	out := runScript(t, installPage, commands, home, append(env, "HOME="+home)...)
	if !strings.Contains(out, "temporary files") || !regexp.MustCompile(`\nwaybill     devel\ncommit      [0-9a-f]{40}(, with changes)?\ndate        20\S+Z\n`).MatchString(out) {
		t.Errorf("the page prints:\n%s", out)
	}
	complete := exec.Command(filepath.Join(home, "bin", "kubectl_complete-waybill"), "fn", "doc", "set-n")
	complete.Env = append(os.Environ(), env...)
	if words, err := complete.Output(); err != nil || !strings.HasPrefix(string(words), "set-namespace\t") {
		t.Errorf("the completion of the plugin: %v, %q", err, words)
	}
}

// TestKustomizePage makes a fleet of an existing tree of overlays.
func TestKustomizePage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	const page = "../../docs/kustomize.md"
	env := append(gitUser(t), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "WAYBILL_CACHE_DIR="+t.TempDir())
	checkShown(t, page, "", runPage(t, page, t.TempDir(), strings.NewReplacer(), env...))
}
