package httpclient

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// Config is the address of a backend and the credentials for it.
type Config struct {
	// URL is the address of the API, http or https, without user, query and fragment. The paths of the
	// table are below it.
	URL string
	// Username and Password are for tables with auth Basic or Login, Project for Login alone.
	Username string
	Password Secret
	Project  string
	// Token is for tables with auth Bearer.
	Token Secret
	// CABundle are the certificates, as PEM, of the authorities that the client trusts. Empty: those of the system.
	CABundle []byte
	// Timeout bounds one request with its answer. Defaults to 30s.
	Timeout time.Duration
	// Proxy chooses the proxy for a request, as http.ProxyFromEnvironment does. nil: none.
	Proxy func(*http.Request) (*url.URL, error)
	// Observe, if set, is called before each request with its method and the media type of its kind. The function
	// that it returns is called after the request, with status 0 if there was no answer.
	Observe func(method, mediaType string) (done func(status int))
	// Transport replaces the transport made from CABundle and Proxy; for tests.
	Transport http.RoundTripper
}

const defaultTimeout = 30 * time.Second

// The settings of midonet-kubernetes, by the last part of their names. Each may be given as
// MIDONETKUBE_MIDONET_API or as MIDONET_API; the longer name wins.
const (
	envPrefix = "MIDONETKUBE_"
	envAPI    = "MIDONET_API"
	envUser   = "MIDONET_USERNAME"
	envPass   = "MIDONET_PASSWORD" // #nosec G101 -- the name of a setting
	envProj   = "MIDONET_PROJECT"
)

// MidoNetConfig reads the settings of midonet-kubernetes, with its defaults. lookup returns a setting, as os.LookupEnv does.
func MidoNetConfig(lookup func(string) (string, bool)) Config {
	get := func(name, otherwise string) string {
		for _, n := range []string{envPrefix + name, name} {
			if v, ok := lookup(n); ok {
				return v
			}
		}
		return otherwise
	}
	return Config{
		URL: get(envAPI, "https://localhost:8181/midonet-api"), Username: get(envUser, "admin"),
		Password: Secret(get(envPass, "")), Project: get(envProj, ""),
	}
}

// base is the checked URL without a trailing slash.
func (c *Config) base() (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(c.URL, "/"))
	if err != nil {
		return nil, errors.New("the address of the backend is not a URL") // the cause would repeat what may hold a password
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.Opaque != "":
		return nil, errors.New("the address of the backend: want http:// or https:// and a host")
	case u.User != nil:
		return nil, errors.New("the address of the backend contains a user: set user name and password separately")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the address of the backend has a query or a fragment")
	}
	return u, nil
}

// transport is an HTTP transport that ignores the environment.
func (c *Config) transport() (http.RoundTripper, error) {
	if c.Transport != nil {
		return c.Transport, nil
	}
	t := &http.Transport{
		Proxy: c.Proxy, DisableCompression: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: 1 << 16, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if len(c.CABundle) > 0 {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(c.CABundle) {
			return nil, errors.New("the CA bundle has no certificate in PEM form")
		}
		t.TLSClientConfig.RootCAs = pool
	}
	return t, nil
}

// check makes sure that the configuration has all credentials that the table needs.
func (c *Config) check(t *table.Table) error {
	switch {
	case t.NeedsPassword() && (c.Username == "" || strings.Contains(c.Username, ":")):
		return fmt.Errorf("backend %q requires a user name without colons", t.Name())
	case t.NeedsToken() && c.Token == "":
		return fmt.Errorf("backend %q requires a token", t.Name())
	}
	for what, value := range map[string]string{"token": string(c.Token), "project": c.Project} {
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("the %s has characters that a header cannot hold", what)
		}
	}
	return nil
}
