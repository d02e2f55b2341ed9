package main

import (
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

func TestControllerUsage(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		"format":     {"a format that is none", []string{"--log-format", "xml"}, exitUsage, `--log-format "xml": want text or json`},
		"level":      {"a level that is none", []string{"--log-level", "loud"}, exitUsage, `--log-level "loud": want debug, info, warn or error`},
		"interval":   {"repositories are not to be hammered", []string{"--poll-interval", "10ms"}, exitUsage, "want a --poll-interval of 1s or more, and 1 or more --workers"},
		"workers":    {"at least one worker", []string{"--workers", "0"}, exitUsage, "want a --poll-interval of 1s or more, and 1 or more --workers"},
		"shard":      {"a selector that is none", []string{"--watch-label-selector", "a=b=c"}, exitUsage, `--watch-label-selector "a=b=c": found '=', expected: ',' or 'end of string'`},
		"sets":       {"a label that sets do not have", []string{"--watch-label-selector", "config.porch.kpt.dev/packagevariantset"}, exitUsage, `--watch-label-selector "config.porch.kpt.dev/packagevariantset": the label "config.porch.kpt.dev/packagevariantset" says which set made a PackageVariant`},
		"number":     {"a shard that is none", []string{"--shard", "3/2"}, exitUsage, `--shard "3/2": want NUMBER/COUNT, such as 1/2 and 2/2 for two shards, of at most 1000`},
		"kept":       {"a flag that does nothing", []string{"--shard-by", "namespace"}, exitUsage, "--shard-by needs --shard"},
		"by":         {"what nothing is kept together by", []string{"--shard", "1/2", "--shard-by", "set"}, exitUsage, `--shard-by "set": want object or namespace`},
		"lease":      {"a name that no lease can have", []string{"--leader-elect-lease", "A b"}, exitUsage, `--leader-elect-lease "A b": a lowercase RFC 1123 subdomain must consist of`},
		"status":     {"a flag that does nothing", []string{"--status-wds", "wds1"}, exitUsage, "--status-wds needs --status"},
		"writes":     {"nor is an API server to be hammered", []string{"--status", "--status-interval", "1ms"}, exitUsage, "want a --status-interval of 10ms or more"},
		"package":    {"a package without a repository", []string{"--status", "--status-package", "fleet"}, exitUsage, "--status-package needs --status-repository"},
		"two homes":  {"results have one home", []string{"--status", "--status-repository", "fleet/status", "--status-kubeconfig", "x"}, exitUsage, "--status-kubeconfig cannot be used with --status-repository"},
		"no object":  {"a URL is no object", []string{"--status", "--status-repository", "https://example.com/a"}, exitUsage, `--status-repository "https://example.com/a": want NAMESPACE/NAME`},
		"a draft":    {"a branch that drafts live on", []string{"--status", "--status-repository", "fleet/status", "--status-branch", "drafts/a"}, exitUsage, `branch "drafts/a" is for packages; choose another`},
		"commits":    {"a server of Git is not to be hammered, either", []string{"--status", "--status-repository", "fleet/status", "--status-commit-interval", "1ms"}, exitUsage, "want a --status-commit-interval of 1s or more"},
		"push":       {"a flag that does nothing", []string{"--push-url", "https://example.com"}, exitUsage, "--push-url needs --push-table"},
		"where to":   {"a backend without an address", []string{"--push-table", "midonet"}, exitUsage, "--push-table needs --push-url and --push-inventory"},
		"who asks":   {"a backend that wants to know", []string{"--push-table", "midonet", "--push-url", "https://example.com", "--push-inventory", "a"}, exitUsage, "the backend requires credentials: name a Secret"},
		"no secret":  {"a name alone", []string{"--push-table", "midonet", "--push-url", "https://example.com", "--push-inventory", "a", "--push-credentials", "b"}, exitUsage, `--push-credentials "b": want NAMESPACE/NAME`},
		"map":        {"a flag that does nothing", []string{"--map-workers", "2"}, exitUsage, "--map-workers needs --map"},
		"mappers":    {"at least one worker", []string{"--map", "--map-parallel", "0"}, exitUsage, "want 1 or more --map-workers and --map-parallel, and a --map-interval of 10ms or more"},
		"sync":       {"a flag that does nothing", []string{"--sync-agent", "east"}, exitUsage, "--sync-agent needs --sync-kubeconfig"},
		"selector":   {"likewise", []string{"--published-resource-selector", "a=b"}, exitUsage, "--published-resource-selector needs --sync-kubeconfig"},
		"selects":    {"a selector that is none", []string{"--sync-kubeconfig", "testdata/none", "--published-resource-selector", "a=b=c"}, exitUsage, `--published-resource-selector "a=b=c": found '=', expected: ',' or 'end of string'`},
		"syncers":    {"at least one worker", []string{"--sync-kubeconfig", "testdata/none", "--sync-parallel", "0"}, exitUsage, "want 1 or more --sync-parallel, and a --sync-interval of 1s or more"},
		"source":     {"workspaces that are not there", []string{"--sync-kubeconfig", "testdata/none"}, exitFailed, "read the kubeconfig of the source: open testdata/none: no such file or directory"},
		"everywhere": {"Bindings are in no namespace", []string{"--namespace", "a", "--status"}, exitUsage, "--status cannot be used with --namespace"},
		"elsewhere":  {"a Repository that is not looked at", []string{"--namespace", "a", "--status", "--status-repository", "fleet/status"}, exitUsage, `--status-repository "fleet/status" is in none of the namespaces`},
		"home":       {"a second cluster that is not there", []string{"--status", "--status-kubeconfig", "testdata/none"}, exitFailed, "find the cluster: stat testdata/none: no such file or directory"},
		"argument":   {"there are no arguments", []string{"fleet"}, exitUsage, `this command takes no arguments, got "fleet"`},
		"kubeconfig": {"a cluster that is not there", []string{"--kubeconfig", "testdata/none"}, exitFailed, "find the cluster: stat testdata/none: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			r := runCLI(t, append([]string{"controller"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.want) || r.stdout != "" {
				t.Errorf("%s: want code %d and %q, got %d and %q", tc.reason, tc.code, tc.want, r.code, r.stderr)
			}
		})
	}
}

// TestController runs the command against a real API server: its probes answer, its metrics are for
// those that the API server allows, and it ends on a signal.
func TestController(t *testing.T) {
	c := clustertest.Shared(t)
	admin := func(input string, args ...string) {
		t.Helper()
		if out, err := c.Kubectl(t, c.Admin(), input, args...); err != nil {
			t.Fatal(err, out)
		}
	}
	admin("", "apply", "-k", "../../controllers/manifests")
	who := c.ServiceAccount(t, "waybill-system", "waybill-controller")
	namespace := c.Namespace(t)
	stranger, reader := c.ServiceAccount(t, namespace, "stranger"), c.ServiceAccount(t, namespace, "reader")
	admin("", "create", "clusterrolebinding", namespace, "--clusterrole=waybill-metrics-reader", "--serviceaccount="+namespace+":reader")
	probes, metrics := freeAddress(t), freeAddress(t)
	process := startProcess(t, "controller", "--kubeconfig", c.Kubeconfig(t, who), "--namespace", namespace, "--leader-elect", "--leader-elect-namespace", "waybill-system", "--leader-elect-lease", "controller.waybill.dev", "--runtime", "inproc",
		"--health-probe-bind-address", probes, "--metrics-bind-address", metrics)
	for _, url := range []string{"http://" + probes + "/readyz", "https://" + metrics + "/metrics"} {
		for deadline := time.Now().Add(20 * time.Second); !served(status(t, url, "")); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is not served:\n%s", url, &process.log)
			}
		}
	}
	for name, tc := range map[string]struct {
		reason, url, token string
		want               int
	}{
		"alive":     {"it says that it lives", "http://" + probes + "/healthz", "", http.StatusOK},
		"anonymous": {"metrics need authentication", "https://" + metrics + "/metrics", "", http.StatusUnauthorized},
		"stranger":  {"and authorization", "https://" + metrics + "/metrics", stranger.BearerToken, http.StatusForbidden},
		"reader":    {"a role allows it", "https://" + metrics + "/metrics", reader.BearerToken, http.StatusOK},
	} {
		if got := status(t, tc.url, tc.token); got != tc.want {
			t.Errorf("%s: %s: want %d, got %d", name, tc.reason, tc.want, got)
		}
	}
	if code := process.end(); code != exitDone {
		t.Errorf("a controller that a signal ends has not failed; got %d:\n%s", code, &process.log)
	}
}

// freeAddress is an unused address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// served reports whether a status is that of a server which is ready.
func served(status int) bool { return status == http.StatusOK || status == http.StatusUnauthorized }

// status is the HTTP status at a URL, 0 without an answer.
func status(t *testing.T, url, token string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	insecure := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} // #nosec G402 -- a certificate made for this run
	resp, err := (&http.Client{Transport: insecure}).Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// process is a controller that runs as it does in a pod: what it logs through is shared by all of a
// process, so that two of them cannot follow each other in one.
type process struct {
	cmd *exec.Cmd
	log clustertest.Log
	end func() (code int) // as a pod ends it
}

// kill ends it at once, as a crash does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	p.end()
}

func startProcess(t testing.TB, args ...string) *process {
	t.Helper()
	return startProcessWith(t, nil, args...)
}

// startProcessWith starts it with more environment variables. Its heap grows as that of users, whatever GOGC says here.
func startProcessWith(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	bin := buildWaybill(t)
	installController(t, bin)
	p := &process{cmd: exec.Command(filepath.Join(bin, "waybill"), args...)}
	p.cmd.Env = slices.DeleteFunc(append(os.Environ(), env...), func(v string) bool { return strings.HasPrefix(v, "GOGC=") })
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.end = sync.OnceValue(func() int {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended; the exit status shows that
		_ = p.cmd.Wait()
		return p.cmd.ProcessState.ExitCode()
	})
	t.Cleanup(func() { p.end() })
	return p
}
