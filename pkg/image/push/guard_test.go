package push

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
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
		p, err := New(Options{To: to})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.target(reference)
		if err != nil || got.String() != want {
			t.Errorf("--to %q: want %s, got %s, %v", to, want, got, err)
		}
	}
}
