package hooks_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// secrets are texts that no error may contain: those in a request, in every encoding.
var secrets = []string{"hunter2", "t0ken", "s3cret", base64.StdEncoding.EncodeToString([]byte("me:hunter2")), base64.StdEncoding.EncodeToString([]byte("us3r:hunter2")), "us3r"}

// TestErrorsHideSecrets has a server that repeats the request in every part of an answer.
func TestErrorsHideSecrets(t *testing.T) {
	said := strings.Join(secrets, " ")
	repeat := map[string]http.HandlerFunc{
		"body": func(w http.ResponseWriter, r *http.Request) {
			all, _ := httputil.DumpRequest(r, true)
			w.WriteHeader(500)
			_, _ = w.Write(all)
		},
		"header": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", said); w.WriteHeader(503) },
		"location": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere/"+url.PathEscape(said), http.StatusTemporaryRedirect)
		},
		"bad place": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://%zz/"+said)
			w.WriteHeader(307)
		},
		"same place": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/s3cret", http.StatusTemporaryRedirect)
		},
		"status line": func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "HTTP/1.1 500 "+said+"\r\nContent-Length: 0\r\n\r\n")
		},
		"no status": func(w http.ResponseWriter, _ *http.Request) { raw(w, "HTTP/1.1 "+said+"\r\n\r\n") },
		"no HTTP":   func(w http.ResponseWriter, _ *http.Request) { raw(w, said+"\r\n\r\n") },
		"no header": func(w http.ResponseWriter, _ *http.Request) { raw(w, "HTTP/1.1 200 OK\r\n"+said+"\r\n\r\n{}") },
		"no length": func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "HTTP/1.1 200 OK\r\nContent-Length: "+said+"\r\n\r\n{}")
		},
		"no coding": func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: "+said+"\r\n\r\n{}")
		},
		"no chunk": func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+said+"\r\n")
		},
		"nothing": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	have := values{"Secret prod/a token": "t0ken", "Secret prod/a username": "me", "Secret prod/a password": "hunter2"}
	for name, h := range repeat {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			r.Body = io.NopCloser(strings.NewReader(drain(r)))
			h(w, r)
		})
		address := strings.Replace(s.URL, "http://", "http://us3r:hunter2@", 1) + "/s3cret?token=t0ken"
		for _, by := range []string{"", ", basicAuth: {secretRef: {name: a, namespace: prod}}", ", authorization: {secretRef: {name: a, namespace: prod, key: token}}"} {
			got := ask(t, "url: '"+address+"'"+by, "", hooks.Options{Values: have.read})
			if !strings.HasPrefix(got, "error: "+s.URL+": ") {
				t.Errorf("%s%s: want an error that names the server, got %q", name, by, got)
			}
			checkRedacted(t, name+by, got)
		}
	}
}

func drain(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	return string(body)
}

func checkRedacted(t *testing.T, name, got string) {
	t.Helper()
	for _, s := range secrets {
		if strings.Contains(got, s) {
			t.Errorf("%s: %q is revealed: %s", name, s, got)
		}
	}
	if strings.ContainsAny(got, "\r\n") || len(got) > 500 {
		t.Errorf("%s: not one short line: %q", name, got)
	}
}

// TestUnreachableHidesSecrets has unreachable servers, with a proxy and without.
func TestUnreachableHidesSecrets(t *testing.T) {
	gone := serve(t, func(http.ResponseWriter, *http.Request) {})
	gone.Close()
	refusing := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		raw(w, "HTTP/1.1 407 hunter2 s3cret\r\nContent-Length: 0\r\n\r\n")
	})
	host := strings.TrimPrefix(gone.URL, "http://")
	for name, proxy := range map[string]string{
		"no proxy": "", "proxy is gone": "http://us3r:hunter2@" + host, "proxy refuses": strings.Replace(refusing.URL, "://", "://us3r:hunter2@", 1),
		"proxy of another kind": "gopher://us3r:hunter2@" + host,
	} {
		for _, scheme := range []string{"http", "https"} {
			o := hooks.Options{}
			if proxy != "" {
				o.Proxy = to(proxy)
			}
			got := ask(t, fmt.Sprintf("url: '%s://us3r:hunter2@%s/s3cret?token=t0ken'", scheme, host), "", o)
			if !strings.HasPrefix(got, "error: "+scheme+"://"+host+": ") {
				t.Errorf("%s: %s", name, got)
			}
			t.Log(name, scheme, got)
			checkRedacted(t, name, got)
		}
	}
}
