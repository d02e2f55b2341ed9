package hooks

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Bounds of what is taken from a server, and of what is kept open.
const (
	maxRedirects   = 5
	maxHeaders     = 1 << 16
	maxConnections = 64
	maxIdle        = 8
	idleTime       = 90 * time.Second
	// connectTime bounds what goes on when a request that wanted a connection was given up.
	connectTime = 30 * time.Second
)

// connection is how a server is reached, and what it is shown.
type connection struct {
	authorities   *x509.CertPool // nil: the system's
	certificate   *tls.Certificate
	authorization string // the header
}

// client asks in HTTP/1.1: a webhook gains nothing from HTTP/2, whose errors do not say why a server wants
// no more of a connection.
func (c *connection) client(proxy func(*http.Request) (*url.URL, error)) *http.Client {
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.authorities}
	if c.certificate != nil {
		config.Certificates = []tls.Certificate{*c.certificate}
	}
	return &http.Client{CheckRedirect: sameRequest, Transport: &http.Transport{
		Proxy: quiet(proxy), DialContext: (&net.Dialer{Timeout: connectTime}).DialContext, TLSHandshakeTimeout: connectTime,
		TLSClientConfig: config, DisableCompression: true, MaxResponseHeaderBytes: maxHeaders,
		MaxConnsPerHost: maxConnections, MaxIdleConnsPerHost: maxIdle, IdleConnTimeout: idleTime,
	}}
}

var errProxy = errors.New("the address of the proxy is no URL")

// quiet chooses a proxy without repeating its address, which may hold a password.
func quiet(proxy func(*http.Request) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		u, err := proxy(r)
		if err != nil {
			return nil, errProxy
		}
		return u, nil
	}
}

// sameRequest follows a redirect only where it asks for the same thing of the same host: elsewhere
// credentials have no business, and a POST that became a GET asks nothing.
func sameRequest(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}
