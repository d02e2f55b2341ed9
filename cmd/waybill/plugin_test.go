package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runOnPath runs a program on the PATH.
func runOnPath(t *testing.T, program string, args ...string) cliRun {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code says it
	return cliRun{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// TestPlugin runs the links that the page about installing makes: as the plugin of kubectl, and as its completion. If kubectl is there, it
// runs them, too.
func TestPlugin(t *testing.T) {
	bin := buildWaybill(t)
	page := readText(t, "../../docs/install.md")
	for _, name := range []string{"kubectl-waybill", "kubectl_complete-waybill"} {
		must(t, os.Symlink("waybill", filepath.Join(bin, name)))
		if line := `ln -s "$(command -v waybill)" ~/bin/` + name; !strings.Contains(page, line+"\n") {
			t.Errorf("the page has no line %q", line)
		}
	}
	onPath(t, bin)
	_, err := exec.LookPath("kubectl")
	kubectl := err == nil
	t.Setenv("KUBECONFIG", "")
	t.Setenv("HOME", t.TempDir())
	for name, tc := range map[string]struct {
		args   []string
		code   int
		stdout string // these have this in them
		stderr string
	}{
		"version":     {[]string{"version"}, exitDone, "waybill     devel\n", ""},
		"help":        {[]string{"fn", "list", "--help"}, exitDone, "\n  kubectl waybill fn list [flags]\n", ""},
		"unknown":     {[]string{"fleet", "previe"}, exitUsage, "", "did you mean 'kubectl waybill fleet preview'? See 'kubectl waybill fleet --help'"},
		"its cluster": {[]string{"rpkg", "get"}, exitFailed, "", "error: find the cluster: "},
	} {
		check(t, name, runOnPath(t, "kubectl-waybill", tc.args...), tc.code, tc.stdout, tc.stderr)
		if kubectl {
			check(t, name+", by kubectl", runOnPath(t, "kubectl", append([]string{"waybill"}, tc.args...)...), tc.code, tc.stdout, tc.stderr)
		}
	}
	check(t, "completion", runOnPath(t, "kubectl_complete-waybill", "fn", "doc", ""), exitDone, "bind-resolve\t", "")
	check(t, "completion of nothing", runOnPath(t, "kubectl_complete-waybill", "pkg", "merge", ""), exitDone, ":4\n", "NoFileComp")
	if kubectl {
		check(t, "completion by kubectl", runOnPath(t, "kubectl", "__complete", "waybill", "fn", "doc", ""), exitDone, "bind-resolve", "")
	}
}

// check holds a run to an exit code, and to parts of what it prints.
func check(t *testing.T, name string, r cliRun, code int, stdout, stderr string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.stdout, stdout) || !strings.Contains(r.stderr, stderr) {
		t.Errorf("%s: exit code %d\n%s\n%s", name, r.code, r.stdout, r.stderr)
	}
}
