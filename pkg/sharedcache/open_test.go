package sharedcache

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// TestURLs has URLs that name no cache, or that would show a password.
func TestURLs(t *testing.T) {
	token := map[string]string{TokenVariable: "t0ken"}
	for url, c := range map[string]struct {
		env  map[string]string
		says string // empty: it is one
	}{
		"https://cache.example.com/a":              {nil, ""},
		"https://cache.example.com":                {token, ""},
		"http://cache.example.com/a":               {nil, ""},
		"http://cache.example.com":                 {token, "credentials are only sent over https"},
		"http://[::1]:80/a":                        {token, ""},
		"http://localhost/a":                       {token, ""},
		"https://me:s3cret@cache.example.com/":     {nil, "credentials come from the environment or from files"},
		"https://cache.example.com/a?token=s3cret": {nil, "want no query"},
		"https://cache.example.com/%zz":            {nil, "cannot be parsed"},
		"https:///a":                               {nil, "want https://HOST/PATH"},
		"cache.example.com/a":                      {nil, "want https://HOST/PATH"},
		"ftp://cache.example.com/a":                {nil, "want https://HOST/PATH"},
		"s3://bucket":                              {nil, ""},
		"s3://bucket/a/b?region=x":                 {nil, ""},
		"s3://bucket/a?token=s3cret":               {nil, "want no query but endpoint and region"},
		"s3://bucket?endpoint=ftp://x":             {nil, "endpoint: want https://HOST"},
		"s3://bucket?endpoint=http://me:s3cret@x":  {nil, "endpoint: want https://HOST"},
		"s3://bucket/b":                            {map[string]string{"AWS_ACCESS_KEY_ID": "me"}, "want both or none of AWS_ACCESS_KEY_ID"},
	} {
		_, err := Open(t.Context(), url, Options{Getenv: environment(c.env)})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", url, err, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "me:s3cret") {
			t.Errorf("%s: the error shows the password: %v", url, err)
		}
	}
}

// TestHTTPCredentials looks at what a server gets from the environment, and from .netrc.
func TestHTTPCredentials(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		http.NotFound(w, r)
	}))
	defer server.Close()
	netrc := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(netrc, []byte("machine 127.0.0.1 login me password s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, env := range map[string]map[string]string{
		"":                   {},
		"Bearer t0ken":       {TokenVariable: "t0ken", "NETRC": netrc},
		"Basic bWU6czNjcmV0": {"NETRC": netrc},
	} {
		c, said := open(t, server.URL, Options{Getenv: environment(env)})
		if c.Get(Key{1}); got != want || said.String() != "" {
			t.Errorf("the server got %q, want %q; %s", got, want, said)
		}
	}
}

// TestS3Refusals has a server that verifies signatures refuse: the error has S3's code, and what to do.
func TestS3Refusals(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket(t.Context(), "renders"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithV4Auth(map[string]string{"writer": "s3cret"})).Server())
	defer server.Close()
	denied := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>x</Message></Error>`))
	}))
	defer denied.Close()
	for name, c := range map[string]struct{ url, id, secret, says string }{
		"wrong secret": {"s3://renders/a?endpoint=" + server.URL, "writer", "wr0ng", "GET: 403 Forbidden (SignatureDoesNotMatch)"},
		"unknown key":  {"s3://renders/a?endpoint=" + server.URL, "other", "wr0ng", "GET: 403 Forbidden (InvalidAccessKeyId)"},
		"no bucket":    {"s3://nowhere/a?endpoint=" + server.URL, "writer", "s3cret", "GET: 404 Not Found (NoSuchBucket)"},
		"denied":       {"s3://renders/a?endpoint=" + denied.URL, "writer", "s3cret", "(AccessDenied); reading takes the permissions s3:GetObject and s3:ListBucket"},
	} {
		cache, said := open(t, c.url, Options{Getenv: environment(map[string]string{"AWS_ACCESS_KEY_ID": c.id, "AWS_SECRET_ACCESS_KEY": c.secret})})
		if cache.Get(Key{1}) != nil || !strings.Contains(said.String(), c.says) || strings.Contains(said.String(), "wr0ng") {
			t.Errorf("%s: it says %q, want %q", name, said, c.says)
		}
	}
}
