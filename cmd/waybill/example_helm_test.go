package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/helm/helmtest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const helmExample = "../../examples/helm-fleet"

// TestExampleHelm runs the commands of the example's README: it prints what the README shows and nothing else.
func TestExampleHelm(t *testing.T) {
	testenv.Need(t, testenv.Git)
	page, dir := filepath.Join(helmExample, "README.md"), t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(helmExample)))
	out := runPage(t, page, dir, strings.NewReplacer(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	shown := strings.Join(slices.Concat(blocks(t, page, "text")...), "\n") + "\n"
	if diff := cmp.Diff(shown, out); diff != "" {
		t.Errorf("(-README +program):\n%s", diff)
	}
	if changed := readTree(t, filepath.Join(helmExample, "blueprint")).Diff(readTree(t, filepath.Join(dir, "blueprint"))); len(changed) > 0 {
		t.Errorf("the blueprint is not rendered: a render changes %v", changed)
	}
}

// TestChartsPage runs the commands of the page on charts, in a package of the objects that it shows.
func TestChartsPage(t *testing.T) {
	const page = "../../docs/charts.md"
	repo, dir := helmtest.NewRepository(t), t.TempDir()
	repo.Add("web", "1.2.3", "values.yaml", "replicas: 1\n")
	objects := blocks(t, page, "yaml")
	for file, text := range map[string]string{
		"Kptfile":     edgeKptfile + strings.ReplaceAll(strings.Join(objects[1], "\n"), "/render-helm-chart", "/render-helm-chart:"+catalog.Version) + "\n",
		"web.yaml":    strings.ReplaceAll(strings.Join(objects[0], "\n"), "oci://registry.example.com/charts", repo.URL) + "\n",
		"values.yaml": "port: 80\n", ".krmignore": "values.yaml\n",
	} {
		writeFile(t, filepath.Join(dir, file), text, 0o644)
	}
	runPage(t, page, dir, strings.NewReplacer(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"))
	rendered := readTree(t, dir)
	if rendered.Blob("helm/web/configmap_settings.yaml") == nil || rendered.Blob("charts/web-1.2.3.tgz") == nil {
		t.Errorf("the commands of the page make %v", rendered.Paths())
	}
}
