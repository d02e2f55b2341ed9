package push

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
)

// TestErrorsHideSecrets: a registry that repeats what it was sent gets no password into an error.
func TestErrorsHideSecrets(t *testing.T) {
	r := newRegistry(t)
	r.failWith(func(w http.ResponseWriter, req *http.Request) bool {
		if req.URL.Path == "/v2/" || req.Method == http.MethodHead { // whose answer has no text
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		_, p, _ := req.BasicAuth()
		fmt.Fprintf(w, `{"errors": [{"code": "DENIED", "message": "no %s for %q: %s"}]}`, req.Header.Get("Authorization"), req.URL.Path, strings.ReplaceAll(p, "/", `\/`))
		return true
	})
	_, err := send(t, newPusher(t, r, nil), store(t))
	if err == nil || !strings.Contains(err.Error(), "(hidden)") {
		t.Fatalf("want an error with something hidden, got %v", err)
	}
	for _, secret := range []string{password, `s3cr3t\/Pass`, base64.StdEncoding.EncodeToString([]byte(user + ":" + password))} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error has %q: %v", secret, err)
		}
	}
}

// TestWrongPassword: the error says who refuses, and not with what.
func TestWrongPassword(t *testing.T) {
	r := newRegistry(t)
	_, err := send(t, newPusher(t, r, func(o *Options) { o.Keychain = login{"another-s3cr3t"} }), store(t))
	if err == nil || !strings.Contains(err.Error(), "401 Unauthorized") || strings.Contains(err.Error(), "another-s3cr3t") {
		t.Errorf("want a refusal without the password, got %v", err)
	}
}

// TestPlainHTTP: without encryption, nothing is sent to another machine unless that is allowed. The addresses are of networks that are
// reserved for documents, and of private ones; requests to them fail in any case.
func TestPlainHTTP(t *testing.T) {
	allowed := errors.New("sent")
	for _, tc := range []struct {
		url   string
		plain bool
		sent  bool
	}{
		{"https://registry.example.com/v2/", false, true},
		{"http://registry.example.com/v2/", false, false},
		{"http://registry.example.com/v2/", true, true},
		{"http://10.0.0.7:5000/v2/", false, false},
		{"http://registry.local:5000/v2/", false, false},
		{"http://127.0.0.1.example.com/v2/", false, false},
		{"http://localhost:5000/v2/", false, true},
		{"http://127.0.0.1:5000/v2/", false, true},
		{"http://[::1]:5000/v2/", false, true},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, tc.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		g := guard{next: answer{allowed}, plain: tc.plain, secrets: &secrets{}}
		_, err = g.RoundTrip(req) //nolint:bodyclose // there is no answer
		if sent := errors.Is(err, allowed); sent != tc.sent || !sent && !errors.Is(err, errPlain) {
			t.Errorf("%s, allowed %v: want sent %v, got %v", tc.url, tc.plain, tc.sent, err)
		}
	}
}

type answer struct{ err error }

func (a answer) RoundTrip(*http.Request) (*http.Response, error) { return nil, a.err }

// TestPlainHTTPOfRegistry: a private address is a registry like any other, and the error says how to go on.
func TestPlainHTTPOfRegistry(t *testing.T) {
	p, err := New(Options{To: "10.255.255.1:1/fleet", Keychain: authn.DefaultKeychain, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	target, err := p.options.target(reference)
	if err != nil {
		t.Fatal(err)
	}
	if target.Scheme() != "http" {
		t.Fatal("the library would not try HTTP: this test shows nothing")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+target.RegistryStr()+"/v2/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	g := guard{next: http.DefaultTransport, secrets: p.secrets}
	if _, err := g.RoundTrip(req); !errors.Is(err, errPlain) || !strings.Contains(err.Error(), "--plain-http") { //nolint:bodyclose // no answer
		t.Errorf("want a refusal that names the flag, got %v", err)
	}
}

func TestOptionsRefuse(t *testing.T) {
	for to, want := range map[string]string{
		"https://registry.example.com":               `"https://registry.example.com": want REGISTRY or REGISTRY/PATH, without a scheme`,
		"registry.example.com/Fleet":                 `"registry.example.com/Fleet": want REGISTRY or REGISTRY/PATH: `,
		"https://porter:s3cr3t@registry.example.com": `has an @: want REGISTRY or REGISTRY/PATH, without credentials; `,
		"porter:s3cr3t@registry.example.com/fleet":   `has an @: want REGISTRY or REGISTRY/PATH, without credentials; `,
		"fleet": `"fleet": want REGISTRY or REGISTRY/PATH: `,
	} {
		if _, err := New(Options{To: to}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", to, want, err)
		}
	}
}

// TestTarget: the registry changes, the name and the tag stay.
func TestTarget(t *testing.T) {
	for to, want := range map[string]string{
		"":                                 reference,
		"localhost:5000":                   "localhost:5000/bind:v1",
		"registry.example.com/platform/kp": "registry.example.com/platform/kp/bind:v1",
	} {
		o := Options{To: to}
		if err := o.check(); err != nil {
			t.Error(err)
		}
		got, err := o.target(reference)
		if err != nil || got.String() != want {
			t.Errorf("--to %q: want %s, got %s, %v", to, want, got, err)
		}
	}
}
