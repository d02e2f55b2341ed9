package access

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

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
		if sent := errors.Is(err, allowed); sent != tc.sent || !sent && !errors.Is(err, ErrPlain) {
			t.Errorf("%s, allowed %v: want sent %v, got %v", tc.url, tc.plain, tc.sent, err)
		}
	}
}

type answer struct{ err error }

func (a answer) RoundTrip(*http.Request) (*http.Response, error) { return nil, a.err }

// TestPlainHTTPOfRegistry: a private address is a registry like any other, and the error says how to go on.
func TestPlainHTTPOfRegistry(t *testing.T) {
	a := New(Options{Keychain: authn.DefaultKeychain, Wait: time.Millisecond})
	tag, err := name.NewTag("10.255.255.1:1/fleet/bind:v1", a.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	if tag.Scheme() != "http" {
		t.Fatal("the library would not try HTTP: this test shows nothing")
	}
	if _, err := remote.Head(tag, a.Remote()...); !errors.Is(err, ErrPlain) || !strings.Contains(err.Error(), "--plain-http") {
		t.Errorf("want a refusal that names the flag, got %v", err)
	}
}

// TestLongAnswers: an answer that does not end is an error.
func TestLongAnswers(t *testing.T) {
	l := &limited{ReadCloser: io.NopCloser(endless{}), left: maxAnswer}
	n, err := io.Copy(io.Discard, l)
	if err == nil || n > maxAnswer {
		t.Errorf("want an error after %d bytes, got %d and %v", maxAnswer, n, err)
	}
	l = &limited{ReadCloser: io.NopCloser(strings.NewReader("whole")), left: 5}
	if data, err := io.ReadAll(l); err != nil || string(data) != "whole" {
		t.Errorf("got %q, %v", data, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestSilence: an answer that stops in the middle is an error, and one that comes slowly is none.
func TestSilence(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "6")
		for range 3 {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(20 * time.Millisecond)
		}
		if r.URL.Path == "/stops" {
			<-release
		}
		_, _ = io.WriteString(w, "end")
	}))
	defer s.Close()
	defer close(release)
	g := &guard{next: http.DefaultTransport, silence: 2 * time.Second, secrets: &secrets{}}
	get := func(path string) (string, error) {
		res, err := (&http.Client{Transport: g}).Get(s.URL + path)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		return string(data), err
	}
	if got, err := get("/slow"); err != nil || got != "xxxend" {
		t.Errorf("slow: got %q, %v", got, err)
	}
	g.silence = 100 * time.Millisecond
	if got, err := get("/stops"); !errors.Is(err, errSilent) {
		t.Errorf("stops: got %q, %v", got, err)
	}
}
