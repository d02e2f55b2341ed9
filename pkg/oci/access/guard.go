package access

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// guard refuses requests without encryption to other machines, of redirects, too, and redirects without end. It remembers credentials.
type guard struct {
	next    http.RoundTripper
	plain   bool
	silence time.Duration // that an answer may have in it
	secrets *secrets
}

// RoundTrip sends a request, or refuses it.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	first, redirects := origin(r)
	if err := g.check(r, first, redirects); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // as every RoundTripper does
		}
		return nil, err
	}
	g.secrets.header(r.Header.Get("Authorization"))
	res, err := watched(g.next, r, g.silence)
	if err == nil && (res.StatusCode != http.StatusOK || !strings.Contains(first.URL.Path, "/blobs/")) {
		res.Body = &limited{ReadCloser: res.Body, left: maxAnswer}
	}
	return res, err
}

// check says why a request is not sent.
func (g *guard) check(r, first *http.Request, redirects int) error {
	switch {
	case redirects > maxRedirects:
		return fmt.Errorf("%s redirects more than %d times", first.URL.Host, maxRedirects)
	case r.URL.Scheme != "https" && !g.plain && !isLoopback(r.URL.Hostname()):
		return fmt.Errorf("no request to http://%s: %w", r.URL.Host, ErrPlain)
	}
	return nil
}

// maxRedirects limits redirects of a request, as net/http does: go-containerregistry's own check replaces that one.
const maxRedirects = 10

// origin is the request that registries redirected, and how often: r itself, if they did not.
func origin(r *http.Request) (first *http.Request, redirects int) {
	for first = r; first.Response != nil && first.Response.Request != nil; redirects++ {
		first = first.Response.Request
	}
	return first, redirects
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// keychain remembers the credentials that it hands out.
type keychain struct {
	authn.Keychain
	secrets *secrets
}

// Resolve returns the credentials for a registry.
func (k *keychain) Resolve(r authn.Resource) (authn.Authenticator, error) {
	found, err := k.Keychain.Resolve(r)
	if err != nil {
		return nil, fmt.Errorf("credentials for %s: %w", r.RegistryStr(), err)
	}
	config, err := found.Authorization()
	if err != nil {
		return nil, fmt.Errorf("credentials for %s: %w", r.RegistryStr(), err)
	}
	k.secrets.add(config.Password, config.Auth, config.IdentityToken, config.RegistryToken)
	return found, nil
}

// secrets are texts that are sent and never shown. Several goroutines may use them.
type secrets struct {
	mu  sync.Mutex
	all map[string]bool
}

func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]bool{}
	}
	for _, text := range texts {
		if text != "" {
			s.all[text] = true
		}
	}
}

// header adds what a header says: a token, or a user and a password.
func (s *secrets) header(value string) {
	scheme, sent, _ := strings.Cut(value, " ")
	s.add(sent)
	if raw, err := base64.StdEncoding.DecodeString(sent); err == nil && strings.EqualFold(scheme, "basic") {
		_, password, _ := strings.Cut(string(raw), ":")
		s.add(password)
	}
}

// redacted is an error without the secrets in its text.
type redacted struct {
	text string
	err  error
}

// Error is the text without secrets.
func (r *redacted) Error() string { return r.text }

// Unwrap returns the error as it was.
func (r *redacted) Unwrap() error { return r.err }

func (s *secrets) redact(err error) error {
	if err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]string, 0, len(s.all))
	for text := range s.all {
		all = append(all, text)
	}
	return &redacted{httpclient.Redact(err.Error(), "", all...), err}
}
