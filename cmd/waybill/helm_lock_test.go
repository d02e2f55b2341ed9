package main

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/helm"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// runHelm runs the real Helm.
func runHelm(t *testing.T, args ...string) string {
	t.Helper()
	testenv.Need(t, testenv.Helm)
	program, err := testenv.HelmProgram()
	must(t, err)
	home := t.TempDir()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("helm %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// chartFiles are those of a chart with a Deployment.
func chartFiles(version, image string) string {
	return "-- web/Chart.yaml --\napiVersion: v2\nname: web\nversion: " + version + "\n-- web/values.yaml --\nreplicas: 1\n" +
		"-- web/templates/web.yaml --\n" + strings.NewReplacer("web:1", image, "namespace: shop\n", "namespace: {{ .Release.Namespace }}\n",
		"replicas: 1", "replicas: {{ .Values.replicas }}").Replace(edgeWeb("1", "web:1"))
}

// packChart is a chart as Helm packs it.
func packChart(t *testing.T, into, version, image string) string {
	t.Helper()
	runHelm(t, "package", filepath.Join(writeArchive(t, chartFiles(version, image)), "web"), "--destination", into)
	return filepath.Join(into, "web-"+version+".tgz")
}

// helmRepository is a repository that Helm made, behind a password that .netrc has.
func helmRepository(t *testing.T, dir string) *httptest.Server {
	t.Helper()
	runHelm(t, "repo", "index", dir)
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "ada" || password != "hush-netrc" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	netrc := filepath.Join(t.TempDir(), "netrc")
	writeFile(t, netrc, "machine 127.0.0.1 login ada password hush-netrc\n", 0o600)
	t.Setenv("NETRC", netrc)
	return server
}

// helmConfig is a config that renders web.
func helmConfig(name, version, repo string) string {
	return "apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderHelmChart\nmetadata:\n  name: " + name +
		"\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nhelmCharts:\n- chartArgs:\n    name: web\n    version: \"" +
		version + "\"\n    repo: " + repo + "\n  templateOptions:\n    releaseName: web\n    namespace: shop\n"
}

// TestHelmLock locks charts of a repository and of a registry that the real Helm filled, both behind passwords.
func TestHelmLock(t *testing.T) {
	served := t.TempDir()
	first := packChart(t, served, "1.0.0", "web:1")
	server := helmRepository(t, served)
	registry := ocitest.Registry(t, ocitest.WithLogin("ada", "hush-oci"))
	config := t.TempDir()
	writeFile(t, filepath.Join(config, "config.json"), `{"auths": {"`+registry.Host+`": {"auth": "`+
		base64.StdEncoding.EncodeToString([]byte("ada:hush-oci"))+`"}}}`, 0o600)
	t.Setenv("DOCKER_CONFIG", config)
	pushed := packChart(t, t.TempDir(), "2.1.0+build.7", "web:2")
	runHelm(t, "push", pushed, "oci://"+registry.Host+"/charts", "--plain-http")

	dir := writeArchive(t, "-- Kptfile --\n"+edgeKptfile+"-- web.yaml --\n"+helmConfig("web", "^1.0.0", server.URL)+
		"-- oci/two.yaml --\n"+helmConfig("two", ">=2", "oci://"+registry.Host+"/charts"))
	before := snapshot(t, dir)
	if r := runCLI(t, "helm", "lock", dir, "--check"); r.code != exitFailed || !strings.Contains(r.stderr, "run 'waybill helm lock'") {
		t.Errorf("--check before the lock: %+v", r)
	}
	mustRun(t, "helm", "lock", dir, "--dry-run")
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("--check and --dry-run write (-before +after):\n%s", diff)
	}
	run := mustRun(t, "helm", "lock", dir, "-o", "json")
	checkSilent(t, run)
	var got []string
	for _, row := range fromJSON[helm.LockReport](t, run).Charts {
		got = append(got, row.Config+" "+row.Name+" "+row.Version+" "+row.Constraint+" "+string(row.Status))
	}
	want := []string{"oci/two.yaml web 2.1.0+build.7 >=2 fetched", "web.yaml web 1.0.0 ^1.0.0 fetched"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
	for file, original := range map[string]string{"charts/web-1.0.0.tgz": first, "oci/charts/web-2.1.0+build.7.tgz": pushed} {
		if readText(t, filepath.Join(dir, file)) != readText(t, original) {
			t.Errorf("%s is not what Helm packed", file)
		}
	}
	mustRun(t, "helm", "lock", dir, "--check")

	packChart(t, served, "1.1.0", "web:1.1")
	runHelm(t, "repo", "index", served)
	table := mustRun(t, "helm", "lock", dir, "--upgrade").stdout
	if !strings.Contains(table, "1.0.0 → 1.1.0") || strings.Contains(table, "hush") {
		t.Errorf("the upgrade prints:\n%s", table)
	}
	server.Close()
	writeFile(t, filepath.Join(dir, "web.yaml"), helmConfig("web", "1.0.0", server.URL), 0o644)
	locked := snapshot(t, dir)
	r := runCLI(t, "helm", "lock", dir)
	if r.code != exitFailed || !strings.Contains(r.stderr, "index.yaml") || strings.Contains(r.stderr, "hush") {
		t.Errorf("without the server: %+v", r)
	}
	if diff := cmp.Diff(locked, snapshot(t, dir)); diff != "" {
		t.Errorf("a failed lock writes (-before +after):\n%s", diff)
	}
	writeFile(t, filepath.Join(dir, "charts/web-1.1.0.tgz"), "tampered", 0o644)
	writeFile(t, filepath.Join(dir, "web.yaml"), helmConfig("web", "^1.0.0", server.URL), 0o644)
	if r := runCLI(t, "helm", "lock", dir, "--check"); r.code != exitUsage || !strings.Contains(r.stderr, "restore the file, or remove it") {
		t.Errorf("a changed archive: %+v", r)
	}
}

// TestHelmLockRefuses lists wrong usage, and packages without charts.
func TestHelmLockRefuses(t *testing.T) {
	dir := writeArchive(t, "-- Kptfile --\n"+edgeKptfile)
	if r := mustRun(t, "helm", "lock", dir); r.stderr != "No "+lock.ConfigKind+" names a chart.\n" {
		t.Errorf("without configs: %+v", r)
	}
	for want, args := range map[string][]string{
		"--check fetches and writes nothing": {"helm", "lock", dir, "--check", "--upgrade"},
		"accepts at most 1 arg":              {"helm", "lock", dir, dir},
	} {
		if r := runCLI(t, args...); r.code != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %+v", args, r)
		}
	}
	ref := ocitest.InMemory(t)
	writeFile(t, filepath.Join(dir, "web.yaml"), helmConfig("web", "1.0.0", ref.URL("charts")), 0o644)
	if r := runCLI(t, "helm", "lock", dir); r.code != exitFailed || !strings.Contains(r.stderr, "not found in the registry") {
		t.Errorf("a chart that is not there: %+v", r)
	}
}
