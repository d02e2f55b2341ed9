package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/helm/helmtest"
)

// chartOrigin has the package edge at v1 and v2, with a config that names web 1.0.0 and 1.1.0, and where they are. edge is fetched
// at v1, locked and committed.
func chartOrigin(t *testing.T, pipeline string) (*pkgOrigin, *helmtest.Repository) {
	t.Helper()
	charts := helmtest.NewRepository(t)
	web := strings.NewReplacer("namespace: shop\n", "namespace: {{ .Release.Namespace }}\n", "replicas: 1", "replicas: {{ .Values.replicas }}").Replace
	charts.Add("web", "1.0.0", "values.yaml", "replicas: 1\n", "templates/web.yaml", web(edgeWeb("1", "web:1")))
	charts.Add("web", "1.1.0", "values.yaml", "replicas: 3\n", "templates/web.yaml", web(edgeWeb("1", "web:1.1")))
	o := newPkgOrigin(t)
	at := func(version string) string { return helmConfig("web", version, charts.URL) }
	o.commit(t, "c1", map[string]string{"shop/Kptfile": strings.Replace(edgeKptfile, "edge", "shop", 1) + pipeline, "shop/web-chart.yaml": at("1.0.0")})
	o.commit(t, "c2", map[string]string{"shop/web-chart.yaml": at("1.1.0")})
	t.Chdir(t.TempDir())
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
	if r := mustRun(t, "pkg", "get", o.bare+"/shop@c1"); !strings.Contains(r.stderr, `Chart "web" of web-chart.yaml is not in the package: run 'waybill helm lock shop'`) {
		t.Errorf("get says: %s", r.stderr)
	}
	mustRun(t, "helm", "lock", "shop")
	commitAll(t, ".", "lock")
	return o, charts
}

// TestUpdateFetchesCharts updates a package to one that names another version of a chart: one command fetches and locks it,
// or changes nothing.
func TestUpdateFetchesCharts(t *testing.T) {
	_, charts := chartOrigin(t, "")
	before := snapshot(t, "shop")
	charts.Answer("/charts/web-1.1.0.tgz", http.NotFound)
	if r := runCLI(t, "pkg", "update", "shop@c2"); r.code != exitFailed || !strings.Contains(r.stderr, "web-1.1.0.tgz: status 404") {
		t.Errorf("the archive is not there: %+v", r)
	}
	if diff := cmp.Diff(before, snapshot(t, "shop")); diff != "" {
		t.Errorf("a failed update writes (-before +after):\n%s", diff)
	}
	if r := mustRun(t, "pkg", "update", "shop@c2", "--no-charts", "--dry-run"); !strings.Contains(r.stderr, `Chart "web" 1.1.0 is not in the package: run 'waybill helm lock'`) {
		t.Errorf("--no-charts says: %s", r.stderr)
	}
	charts.Answer("/charts/web-1.1.0.tgz", nil)
	table := mustRun(t, "pkg", "update", "shop@c2", "--dry-run").stdout
	if !strings.Contains(table, "chart  web  1.0.0 → 1.1.0  fetched  web-chart.yaml\n") {
		t.Errorf("the table is:\n%s", table)
	}
	r := mustRun(t, "pkg", "update", "shop@c2", "-o", "json")
	if !strings.Contains(r.stderr, `Fetching chart "web" 1.1.0 of `+charts.URL+"\n") {
		t.Errorf("it says: %s", r.stderr)
	}
	report := fromJSON[pkg.UpdateReport](t, r)
	var files []string
	for _, f := range report.Files {
		files = append(files, f.Change+" "+f.Path)
	}
	want := []string{"modified Kptfile", "deleted charts/web-1.0.0.tgz", "added charts/web-1.1.0.tgz", "modified web-chart.lock.yaml", "modified web-chart.yaml"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(report.Charts) != 1 || report.Charts[0].Version != "1.1.0" || report.Charts[0].From != "1.0.0" {
		t.Errorf("charts: %+v", report.Charts)
	}
	mustRun(t, "helm", "lock", "shop", "--check")
}

// TestUpdateLeavesUnlockedCharts fetches nothing for charts that were not locked before and that the update did not bring.
func TestUpdateLeavesUnlockedCharts(t *testing.T) {
	o, charts := chartOrigin(t, "")
	mustRun(t, "pkg", "get", o.bare+"/shop@c1", "other")
	commitAll(t, ".", "other")
	o.commit(t, "c3", map[string]string{"shop/web-chart.yaml": helmConfig("web", "1.0.0", charts.URL), "shop/notes.txt": "new\n"})
	charts.Asked()
	mustRun(t, "pkg", "update", "other@c3")
	if asked := charts.Asked(); len(asked) > 0 {
		t.Errorf("it asks for %v", asked)
	}
}

// TestUpdateKeepsEditsOfCharts edits an object that a chart rendered, and updates to another version of the chart: the edit merges
// with what the new version renders, conflicts are reported, and the next render keeps the result.
func TestUpdateKeepsEditsOfCharts(t *testing.T) {
	_, charts := chartOrigin(t, "pipeline:\n  mutators:\n  - image: ghcr.io/waybill-dev/render-helm-chart:v0.1.0\n    configPath: web-chart.yaml\n"+
		"  - image: ghcr.io/waybill-dev/set-labels:v0.1.0\n    configMap:\n      tier: gold\n")
	const web = "shop/helm/web/shop/deployment_web.yaml"
	mustRun(t, "fn", "render", "shop")
	commitAll(t, ".", "rendered")
	edit(t, web, "replicas: 1\n", "replicas: 5\n  paused: true\n")
	mustRun(t, "fn", "render", "shop")
	before := snapshot(t, "shop")
	for name, tc := range map[string]struct{ path, want string }{
		"conflict": {"", "1 conflict(s), and nothing was written"},
		"no chart": {"/charts/web-1.1.0.tgz", "web-1.1.0.tgz: status 404"},
	} {
		charts.Answer("/charts/web-1.1.0.tgz", nil)
		if tc.path != "" {
			charts.Answer(tc.path, http.NotFound)
		}
		r := runCLI(t, "pkg", "update", "shop@c2", "--base", "rendered", "--on-conflict", "fail")
		if r.code != exitFailed || !strings.Contains(r.stderr, tc.want) || strings.Contains(r.stderr, "--base upstream") {
			t.Errorf("%s: %+v", name, r)
		}
		if diff := cmp.Diff(before, snapshot(t, "shop")); diff != "" {
			t.Errorf("%s: it writes (-before +after):\n%s", name, diff)
		}
	}
	charts.Answer("/charts/web-1.1.0.tgz", nil)
	if r := mustRun(t, "pkg", "update", "shop@c2", "--dry-run"); !strings.Contains(r.stderr, "warning: the next render replaces local edits") {
		t.Errorf("without --base rendered: %s", r.stderr)
	}
	report := fromJSON[pkg.UpdateReport](t, mustRun(t, "pkg", "update", "shop@c2", "--base", "rendered", "--on-conflict", "local", "-o", "json"))
	var conflicts []string
	for _, c := range report.Conflicts {
		conflicts = append(conflicts, c.String())
	}
	want := []string{"helm/web/shop/deployment_web.yaml Deployment shop/web spec.replicas: base 1, upstream 3, local 5 → local's"}
	if diff := cmp.Diff(want, conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	for _, when := range []string{"updated", "rendered"} {
		for _, want := range []string{"replicas: 5\n", "paused: true\n", "image: web:1.1\n", "tier: gold\n"} {
			if text := readText(t, web); !strings.Contains(text, want) {
				t.Errorf("%s, there is no %q in:\n%s", when, want, text)
			}
		}
		mustRun(t, "helm", "lock", "shop", "--check")
		mustRun(t, "fn", "render", "shop")
	}
}
