package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/doctor"
	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// diagnose runs the command and returns what it says about each part.
func diagnose(t *testing.T, code int, args ...string) map[string]doctor.Check {
	t.Helper()
	r := runCLI(t, append([]string{"doctor", "-o", "json"}, args...)...)
	if r.code != code {
		t.Errorf("exit code %d, want %d: %s%s", r.code, code, r.stdout, r.stderr)
	}
	var report doctor.Report
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if report.APIVersion != "waybill.dev/v1alpha1" || report.Kind != "DoctorReport" {
		t.Errorf("it is a %s of %s", report.Kind, report.APIVersion)
	}
	checks := map[string]doctor.Check{}
	for _, c := range report.Checks {
		checks[c.Name] = c
	}
	return checks
}

// fakePrograms makes a folder with programs of these names the only one on the PATH; each runs a script.
func fakePrograms(t *testing.T, scripts map[string]string) {
	t.Helper()
	bin := t.TempDir()
	for name, script := range scripts {
		writeFile(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n", 0o755)
	}
	t.Setenv("PATH", bin)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", filepath.Join(bin, "none"))
}

// TestDoctor says what a machine has, what is missing and what is broken; only what is broken or needed makes it fail.
func TestDoctor(t *testing.T) {
	fakePrograms(t, map[string]string{"git": "echo git version 2.50.0", "docker": "echo cannot connect to the daemon >&2; exit 1"})
	t.Setenv("WAYBILL_CACHE_DIR", filepath.Join(t.TempDir(), "new"))
	checks := diagnose(t, exitFailed)
	for name, want := range map[string]doctor.State{"git": doctor.OK, "container engine": doctor.Failed, "kpt": doctor.Missing,
		"temporary files": doctor.OK, "locks": doctor.OK, "cache": doctor.OK, "cluster": doctor.Skipped} {
		if got := checks[name]; got.State != want || (want != doctor.OK) != (got.Advice != "") {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
	if !strings.Contains(checks["container engine"].Detail, "cannot connect to the daemon") {
		t.Errorf("the reason of the engine is lost: %+v", checks["container engine"])
	}

	fakePrograms(t, nil)
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "", 0o600)
	t.Setenv("WAYBILL_CACHE_DIR", filepath.Join(file, "below"))
	checks = diagnose(t, exitFailed)
	if checks["git"].State != doctor.Failed || checks["container engine"].State != doctor.Missing || checks["cache"].State != doctor.Failed {
		t.Errorf("without git: %+v", checks)
	}
}

// TestDoctorUnreachable names the address of an API server that does not answer, and no token.
func TestDoctorUnreachable(t *testing.T) {
	fakePrograms(t, map[string]string{"git": "echo git version 2.50.0"})
	got := diagnose(t, exitFailed, "--kubeconfig", unreachable(t))["cluster"]
	if got.State != doctor.Failed || !strings.Contains(got.Detail, "https://127.0.0.1:9: ") || strings.Contains(got.Detail, "sesame") {
		t.Errorf("%+v", got)
	}
}

// unreachable is a kubeconfig of an API server that does not answer.
func unreachable(t *testing.T) string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "config")
	writeFile(t, config, `{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
clusters: [{name: a, cluster: {server: "https://127.0.0.1:9"}}], users: [{name: a, user: {token: sesame}}]}`, 0o600)
	return config
}

// TestDoctorOfCluster sees a real API server, first without Waybill's kinds, then with them.
func TestDoctorOfCluster(t *testing.T) {
	c := clustertest.Shared(t)
	config := c.Kubeconfig(t, c.Admin())
	if got := diagnose(t, exitDone, "--kubeconfig", config); got["cluster"].State != doctor.OK || got["rights"].State != doctor.OK {
		t.Errorf("as administrator: %+v", got)
	}
	c.InstallCRDs(t, "../../controllers/manifests/crds")
	if got := diagnose(t, exitDone, "--kubeconfig", config)["kinds"]; strings.Contains(got.Detail, "config.porch.kpt.dev") {
		t.Errorf("Waybill's kinds are installed: %+v", got)
	}
}
