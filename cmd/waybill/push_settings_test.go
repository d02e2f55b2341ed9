package main

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPushLogsIn pushes to a MidoNet, by the environment of its controllers and over TLS.
func TestPushLogsIn(t *testing.T) {
	t.Chdir(t.TempDir())
	const password, token = "hush:4812", "token-of-a-day"
	var asked []string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		user, p, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/midonet-api/login" && user == "kube" && p == password && r.Header.Get("X-Auth-Project") == "lab":
			_, _ = w.Write([]byte(`{"key":"` + token + `"}`))
		case r.Header.Get("X-Auth-Token") != token:
			http.Error(w, "not "+p+" nor "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		default:
			http.Error(w, "created for "+token, http.StatusCreated)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of who does not trust it
	s.StartTLS()
	t.Cleanup(s.Close)
	writeFile(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})), 0o644)
	writeFile(t, "net/chain.yaml", "apiVersion: midonet.org/v1\nkind: Translation\nmetadata: {name: chain, namespace: default}\nresources:\n- kind: Chain\n  parent: \"\"\n  body: '{\"id\":\"a\"}'\n", 0o644)
	for name, value := range map[string]string{"MIDONET_API": s.URL + "/midonet-api", "MIDONETKUBE_MIDONET_USERNAME": "kube", "MIDONETKUBE_MIDONET_PASSWORD": password, "MIDONET_PROJECT": "lab"} {
		t.Setenv(name, value)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // it may be put right, so it is tried again
	defer cancel()
	var said, messages strings.Builder
	untrusted := cliRun{code: execute(ctx, []string{"push", "apply", "net", "--backend", "midonet", "--inventory", "other"}, strings.NewReader(""), &said, &messages)}
	untrusted.stdout, untrusted.stderr = said.String(), messages.String()
	if untrusted.code != exitFailed || !strings.Contains(untrusted.stdout, "certificate") || len(asked) > 0 {
		t.Errorf("an untrusted backend gets nothing: exit code %d, %s%s%s", untrusted.code, untrusted.stdout, untrusted.stderr, asked)
	}
	trusted := runCLI(t, "push", "apply", "net", "--backend", "midonet", "--ca-file", "ca.pem")
	if diff := cmp.Diff([]string{"POST /midonet-api/chains", "POST /midonet-api/login", "POST /midonet-api/chains"}, asked); diff != "" || trusted.code != exitDone {
		t.Errorf("exit code %d, %s%s (-want +got):\n%s", trusted.code, trusted.stdout, trusted.stderr, diff)
	}
	writeFile(t, "password", "wrong-"+password, 0o600)
	must(t, os.Remove("net.midonet.inventory"))
	refused := runCLI(t, "push", "apply", "net", "--backend", "midonet", "--ca-file", "ca.pem", "--password-file", "password", "-o", "json")
	if refused.code != exitFailed || !strings.Contains(refused.stderr, "error: the backend rejects the credentials: log in: 401 Unauthorized: not (hidden) nor Basic (hidden)\n") {
		t.Errorf("exit code %d: %s", refused.code, refused.stderr)
	}
	checkHidden(t, []string{password, token}, untrusted, trusted, refused)
}

// checkHidden looks for secrets in what was printed, and in all files here that were written.
func checkHidden(t *testing.T, secrets []string, runs ...cliRun) {
	t.Helper()
	var all strings.Builder
	for _, r := range runs {
		all.WriteString(r.stdout + r.stderr)
	}
	for file, content := range snapshot(t, ".") {
		if !strings.Contains(file, "password") {
			all.WriteString(content)
		}
	}
	if all.Len() < 1000 {
		t.Errorf("there is not much to look through: %q", &all)
	}
	for _, s := range secrets {
		for _, form := range []string{s, base64.StdEncoding.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte("kube:" + s))} {
			if strings.Contains(all.String(), form) {
				t.Errorf("%q is shown:\n%s", form, &all)
			}
		}
	}
}

// TestPushHidesTokens has a backend repeat a token that it does not take.
func TestPushHidesTokens(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	s.token = "another"
	t.Setenv("WAYBILL_PUSH_URL", s.URL+"/v1")
	writeFile(t, "password", "hush-4812", 0o600)
	r := runCLI(t, "push", "apply", "net", "--backend", "rest-example", "--token-file", "password", "-o", "yaml")
	if r.code != exitFailed || !strings.Contains(r.stderr, "error: the backend rejects the credentials: 401 Unauthorized: not you, Bearer (hidden)\n") || s.requests() != 1 {
		t.Errorf("exit code %d, %d requests: %s", r.code, s.requests(), r.stderr)
	}
	checkHidden(t, []string{"hush-4812"}, r)
}

// TestPushTimeout gives up on a backend that does not answer.
func TestPushTimeout(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	s.halts(func(n int, _ *http.Request) stop {
		if n == 1 {
			return stop{after: make(chan struct{})}
		}
		return stop{}
	})
	r := pushTo(t, s, "apply", "net", "--timeout", "100ms")
	if r.code != exitDone || len(s.holds()) != 4 {
		t.Errorf("what was not answered is tried again, and found there: exit code %d, %s%s", r.code, r.stdout, r.stderr)
	}
}
