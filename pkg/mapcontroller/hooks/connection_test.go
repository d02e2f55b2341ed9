package hooks_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

func to(proxy string) func(*http.Request) (*url.URL, error) {
	return func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
}

// who answers with the name of the client and its credentials.
func who(w http.ResponseWriter, r *http.Request) {
	shown := "nothing"
	if len(r.TLS.PeerCertificates) > 0 {
		shown = r.TLS.PeerCertificates[0].Subject.CommonName
	}
	fmt.Fprintf(w, "%s, %q", shown, r.Header["Authorization"])
}

// credentialsOf are Secrets and ConfigMaps with the certificates of an authority.
func credentialsOf(t testing.TB, a *authority) values {
	cert, key := a.pair(t)
	return values{
		"Secret prod/ca ca.crt": a.pem, "Secret prod/ca other": a.pem, "ConfigMap prod/ca ca.crt": a.pem, "ConfigMap prod/ca other": a.pem,
		"Secret prod/tls tls.crt": cert, "Secret prod/tls tls.key": key, "Secret prod/tls c": cert, "Secret prod/tls k": key,
		"Secret prod/user username": "me\n", "Secret prod/user password": " p w\n", "Secret prod/user u": "you", "Secret prod/user p": "",
		"Secret prod/token token": "t0ken\n",
	}
}

func TestConnections(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	servers := map[string]string{
		"TLS": ours.serveTLS(t, nil, who).URL, "MUTUAL": ours.serveTLS(t, ours, who).URL, "OTHER": others.serveTLS(t, nil, who).URL,
	}
	const trust = "caBundle: {secretRef: {name: ca, namespace: prod}}, "
	for name, tc := range map[string]struct{ reason, at, settings, endpoints, want string }{
		"secret":          {"the key has a default", "TLS", trust, "", "nothing, []"},
		"secret key":      {"or is named", "TLS", "caBundle: {secretRef: {name: ca, namespace: prod, key: other}}", "", "nothing, []"},
		"config map":      {"it is no secret", "TLS", "caBundle: {configMapRef: {name: ca, namespace: prod}}", "", "nothing, []"},
		"config map key":  {"nor is another key", "TLS", "caBundle: {configMapRef: {name: ca, namespace: prod, key: other}}", "", "nothing, []"},
		"inline":          {"it may stand here", "TLS", "caBundle: {inline: " + fmt.Sprintf("%q", ours.pem) + "}", "", "nothing, []"},
		"unknown":         {"the system does not know it", "TLS", "", "", "error: AT: its certificate is not trusted: x509: certificate signed by unknown authority"},
		"other":           {"no other authority is trusted", "OTHER", trust, "", `error: AT: its certificate is not trusted: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "hooks")`},
		"nothing shown":   {"the server requires a certificate", "MUTUAL", trust, "", "error: AT: remote error: tls: certificate required"},
		"shown":           {"a certificate", "MUTUAL", trust + "clientTLS: {secretRef: {name: tls, namespace: prod}}", "", "pair, []"},
		"shown by key":    {"by other keys", "MUTUAL", trust + "clientTLS: {secretRef: {name: tls, namespace: prod}, certKey: c, privateKeyKey: k}", "", "pair, []"},
		"token":           {"Bearer is the default, and a line's end no part of it", "TLS", trust + "authorization: {secretRef: {name: token, namespace: prod, key: token}}", "", `nothing, ["Bearer t0ken"]`},
		"token of a type": {"any word but Basic", "TLS", trust + "authorization: {type: ' Token ', secretRef: {name: token, namespace: prod, key: token}}", "", `nothing, ["Token t0ken"]`},
		"user":            {"by the usual keys", "TLS", trust + "basicAuth: {secretRef: {name: user, namespace: prod}}", "", `nothing, ["Basic bWU6cCB3"]`},
		"user by key":     {"a password may be empty", "TLS", trust + "basicAuth: {secretRef: {name: user, namespace: prod}, usernameKey: u, passwordKey: p}", "", `nothing, ["Basic eW91Og=="]`},
		"endpoint":        {"for the host", "TLS", "", "{host: AT, " + trust + "authorization: {secretRef: {name: token, namespace: prod, key: token}}}", `nothing, ["Bearer t0ken"]`},
		"first endpoint":  {"the first counts, and entries are not added up", "TLS", "", "{host: elsewhere}, {host: AT, " + trust + "}, {host: AT, authorization: {secretRef: {name: missing, namespace: prod, key: token}}}", "nothing, []"},
		"own settings":    {"any setting of the hook replaces a whole entry", "TLS", "authorization: {secretRef: {name: token, namespace: prod, key: token}}", "{host: AT, " + trust + "}", "error: AT: its certificate is not trusted: x509: certificate signed by unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			at := strings.TrimPrefix(servers[tc.at], "https://")
			endpoints := ", endpointConfigs: [" + strings.ReplaceAll(tc.endpoints, "AT", "'"+at+"'") + "]"
			got := ask(t, "url: '"+servers[tc.at]+"/map', "+tc.settings, endpoints, hooks.Options{Values: credentialsOf(t, ours).read})
			if diff := cmp.Diff(tc.want, strings.ReplaceAll(got, servers[tc.at], "AT")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestHosts sends requests through a proxy, which gets those of every host.
func TestHosts(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Authorization") != "") })
	for name, tc := range map[string]struct {
		reason, url, host string
		want              bool
	}{
		"same":         {"the host", "http://a.example/x", "a.example", true},
		"case":         {"in any case", "http://A.example", "a.EXAMPLE", true},
		"usual port":   {"the usual port is as none", "http://a.example", "a.example:80", true},
		"spelled out":  {"in both ways", "http://a.example:80", "a.example", true},
		"other port":   {"another port is another server", "http://a.example:8080", "a.example", false},
		"that port":    {"unless it is named", "http://a.example:8080", "a.example:8080", true},
		"other scheme": {"443 is not usual here", "http://a.example", "a.example:443", false},
		"suffix":       {"8080 is not 80", "http://a.example:8080", "a.example:80", false},
		"address":      {"addresses have colons", "http://[::1]:80", "[::1]", true},
		"user":         {"a user is no part of it; the header that is set wins", "http://me:pw@a.example", "a.example", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := ask(t, "url: '"+tc.url+"'", ", endpointConfigs: [{host: '"+tc.host+"', authorization: {secretRef: {name: token, namespace: prod, key: token}}}]",
				hooks.Options{Proxy: to(proxy.URL), Values: values{"Secret prod/token token": "t"}.read})
			if diff := cmp.Diff(fmt.Sprint(tc.want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNewReportsAllErrors has invalid settings. Values contain the word hunter2, which no error may contain.
func TestNewReportsAllErrors(t *testing.T) {
	have := values{
		"Secret prod/bad ca.crt": "hunter2", "Secret prod/bad tls.crt": "hunter2", "Secret prod/bad tls.key": "hunter2", "Secret prod/bad username": "me:hunter2", "Secret prod/bad password": "hunter2",
		"Secret prod/bad empty": " \n", "Secret prod/bad lines": "hunter2\r\nX-More: hunter2",
	}
	const at = "new: spec.hooks.map.webhook."
	for name, tc := range map[string]struct{ reason, settings, more, want string }{
		"missing":  {"a Secret that is not there", "authorization: {secretRef: {name: no, namespace: prod, key: a}}", "", at + `authorization: Secret "prod/no": key "a": there is none`},
		"no key":   {"nor a key", "authorization: {secretRef: {name: bad, namespace: prod, key: a}}", "", at + `authorization: Secret "prod/bad": key "a": it has no such key`},
		"map":      {"a ConfigMap is no Secret", "caBundle: {configMapRef: {name: bad, namespace: prod}}", "", at + `caBundle.configMapRef: ConfigMap "prod/bad": key "ca.crt": there is none`},
		"bundle":   {"a bundle without certificates would trust no server", "caBundle: {secretRef: {name: bad, namespace: prod}}", "", at + "caBundle.secretRef: it has no certificate in PEM form"},
		"inline":   {"here, too", "caBundle: {inline: hunter2}", "", at + "caBundle: it has no certificate in PEM form"},
		"pair":     {"the error does not describe the key", "clientTLS: {secretRef: {name: bad, namespace: prod}}", "", at + `clientTLS: Secret "prod/bad": want a certificate and the key that belongs to it, in PEM form`},
		"user":     {"the colon ends the user", "basicAuth: {secretRef: {name: bad, namespace: prod}}", "", at + `basicAuth: Secret "prod/bad": a user name cannot have a colon`},
		"empty":    {"nothing is no token", "authorization: {secretRef: {name: bad, namespace: prod, key: empty}}", "", at + `authorization: Secret "prod/bad": key "empty": it is empty`},
		"lines":    {"no second header", "authorization: {secretRef: {name: bad, namespace: prod, key: lines}}", "", at + `authorization: Secret "prod/bad": key "lines": it has characters that a header cannot have`},
		"many":     {"all at once", "caBundle: {inline: hunter2}, clientTLS: {secretRef: {name: no, namespace: prod}}", "", "new: [spec.hooks.map.webhook.caBundle: it has no certificate in PEM form, spec.hooks.map.webhook.clientTLS: Secret \"prod/no\": key \"tls.crt\": there is none, spec.hooks.map.webhook.clientTLS: Secret \"prod/no\": key \"tls.key\": there is none]"},
		"endpoint": {"where it stands", "timeout: 1s", ", endpointConfigs: [{host: a, authorization: {secretRef: {name: no, namespace: prod, key: a}}}]", `new: spec.endpointConfigs[0].authorization: Secret "prod/no": key "a": there is none`},
		"unused":   {"an endpoint that no hook uses is not read", "timeout: 1s", ", endpointConfigs: [{host: b, authorization: {secretRef: {name: no, namespace: prod, key: a}}}]", "error: http://a: the address of the proxy is not a URL"},
		"invalid":  {"before anything is read", "authorization: {type: Basic, secretRef: {name: no, namespace: prod, key: a}}", "", at + "authorization.type: Forbidden: Basic has a field of its own: basicAuth"},
	} {
		t.Run(name, func(t *testing.T) {
			nowhere := func(*http.Request) (*url.URL, error) { return nil, errors.New("http://me:hunter2@proxy is wrong") }
			got := ask(t, "url: 'http://a/', "+tc.settings, tc.more, hooks.Options{Values: have.read, Proxy: nowhere})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if strings.Contains(got, "hunter2") {
				t.Errorf("the error reveals a secret: %s", got)
			}
		})
	}
}

func TestNewWrapsErrorsOfValues(t *testing.T) {
	_, _, err := webhook(t, "url: 'http://a', authorization: {secretRef: {name: no, namespace: prod, key: a}}, caBundle: {inline: x}", "", hooks.Options{Values: values{}.read})
	var invalid *hooks.InvalidError
	if !errors.Is(err, errMissing) || errors.As(err, &invalid) {
		t.Errorf("the error must wrap that of Values: %v", err)
	}
	if _, _, err = webhook(t, "timeout: 1s", "", hooks.Options{}); !errors.As(err, &invalid) {
		t.Errorf("the error must be an InvalidError: %v", err)
	}
	if got := ask(t, "url: 'http://a', authorization: {secretRef: {name: no, namespace: prod, key: a}}", "", hooks.Options{}); !strings.HasSuffix(got, "none can be read here") {
		t.Error(got)
	}
}

func TestSettingsAreReadOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Authorization")) })
	have := values{"Secret prod/a b": "one"}
	h, hook, err := webhook(t, "url: '"+s.URL+"', authorization: {secretRef: {name: a, namespace: prod, key: b}}", "", hooks.Options{Values: have.read})
	check(t, err)
	have["Secret prod/a b"] = "two"
	if got := describe(h.Webhook(t.Context(), hook, request("a"))); got != "Bearer one" {
		t.Errorf("New reads the settings once: %s", got)
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	a := newAuthority(t)
	s := a.serveTLS(t, nil, who)
	s.TLS.MinVersion, s.TLS.MaxVersion = 0x0301, 0x0302 // the server reads it with every handshake
	got := ask(t, "url: '"+s.URL+"', caBundle: {secretRef: {name: ca, namespace: prod}}", "", hooks.Options{Values: credentialsOf(t, a).read})
	if !strings.Contains(got, "protocol version") {
		t.Errorf("TLS 1.1 is not safe: %s", got)
	}
}

func TestPlainTextIsNotTLS(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	got := ask(t, "url: '"+strings.Replace(s.URL, "http:", "https:", 1)+"'", "", hooks.Options{})
	if !strings.HasSuffix(got, ": it does not speak TLS") {
		t.Error(got)
	}
}

// TestClose checks that connections are reused, and closed in the end.
func TestClose(t *testing.T) {
	opened, closed := 0, make(chan bool)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			opened++
		case http.StateClosed:
			close(closed)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	h, hook, err := webhook(t, "url: '"+s.URL+"'", "", hooks.Options{})
	check(t, err)
	for range 3 {
		_, err = h.Webhook(t.Context(), hook, request("a"))
		check(t, err)
	}
	h.Close()
	<-closed
	if opened != 1 {
		t.Errorf("%d connections for consecutive requests", opened)
	}
}
