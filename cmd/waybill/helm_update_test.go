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
