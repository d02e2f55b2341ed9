package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestCompatibility holds the table of versions on the page on installation to what tests run: what is in bold there is what go.mod
// files and CI say, and nothing else is in bold.
func TestCompatibility(t *testing.T) {
	pinned := func(file, form string) string {
		t.Helper()
		m := regexp.MustCompile(`(?m)` + form).FindStringSubmatch(readText(t, "../../"+file))
		if m == nil {
			t.Fatalf("%s has no %s", file, form)
		}
		return strings.TrimPrefix(m[1], "v")
	}
	const servers = "pkg/testenv/servers/"
	tested := map[string]string{
		"Kubernetes, for the controller": pinned(servers+"apiserver/go.mod", `^\s+k8s\.io/kubernetes (\S+)$`),
		"kpt":                            pinned(".github/workflows/ci.yaml", `KPT_VERSION: (\S+)$`),
		"Porch":                          pinned(servers+"porch/go.mod", `^\s+github\.com/nephio-project/porch (\S+)`),
		"Open Cluster Management":        pinned(servers+"ocm/go.mod", `^\s+open-cluster-management\.io/ocm (\S+)`),
		"Flux, source-controller and kustomize-controller": pinned(servers+"flux/go.mod", `^\s+github\.com/fluxcd/kustomize-controller (\S+)`),
		"OCI registries: distribution":                     pinned(servers+"registry/go.mod", `^require github\.com/distribution/distribution/v3 (\S+)$`),
		"Helm":                                             pinned(".ci/helm/go.mod", `^\s+helm\.sh/helm/v4 (\S+)`),
		"Go, to build":                                     pinned("go.mod", `^go (\d+\.\d+)`),
	}
	if source := pinned(servers+"flux/go.mod", `^\s+github\.com/fluxcd/source-controller (\S+)`); source != tested["Flux, source-controller and kustomize-controller"] {
		t.Errorf("the controllers of Flux have two versions, one of them %s", source)
	}
	_, table, _ := strings.Cut(readText(t, installPage), "\n## Compatibility\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| (.+?) \| (.*?) \| (.*?) ?\|$`).FindAllStringSubmatch(table, -1) {
		rows[m[1]] = m[2:]
	}
	for what, version := range tested {
		if row := rows[what]; len(row) == 0 || row[1] != "**"+version+"**" {
			t.Errorf("%s: want **%s**, the page says %q", what, version, row)
		}
		delete(rows, what)
	}
	for what, row := range rows {
		if strings.Contains(row[1], "*") {
			t.Errorf("%s: no version of it is pinned, and the page says %s", what, row[1])
		}
	}
	from := pinned("controllers/chart/Chart.yaml", `^kubeVersion: ">=(\d+\.\d+)\.0-0"$`)
	argo := argoVersion[strings.Index(argoVersion, "@v")+2:]
	for _, want := range []string{"\n| Kubernetes, for the controller | " + from + " and later |", "\n| Argo CD | " + argo + " |"} {
		if !strings.Contains(table, want) {
			t.Errorf("the page has no row %s", want)
		}
	}
}
