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

// Limits of what a server may send, and of the connections that stay open.
const (
	maxRedirects   = 5
	maxHeaders     = 1 << 16
	maxConnections = 64
	maxIdle        = 8
	idleTime       = 90 * time.Second
	// connectTime limits a dial or handshake that continues after its request has ended.
	connectTime = 30 * time.Second
)

// connection is how to connect to a server.
type connection struct {
	authorities   *x509.CertPool // nil: the system's
	certificate   *tls.Certificate
	authorization string // the header
}

// client is an HTTP/1.1 client: a webhook gains nothing from HTTP/2, whose errors do not say why a server closed a connection.
func (c *connection) client(proxy func(*http.Request) (*url.URL, error)) *http.Client {
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.authorities}
	if c.certificate != nil {
		config.Certificates = []tls.Certificate{*c.certificate}
	}
	return &http.Client{CheckRedirect: sameRequest, Transport: &http.Transport{
		Proxy: withoutAddress(proxy), DialContext: (&net.Dialer{Timeout: connectTime}).DialContext, TLSHandshakeTimeout: connectTime,
		TLSClientConfig: config, DisableCompression: true, MaxResponseHeaderBytes: maxHeaders,
		MaxConnsPerHost: maxConnections, MaxIdleConnsPerHost: maxIdle, IdleConnTimeout: idleTime,
	}}
}

var errProxy = errors.New("the address of the proxy is not a URL")

// withoutAddress removes the address of a proxy, which may hold a password, from errors.
func withoutAddress(proxy func(*http.Request) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		u, err := proxy(r)
		if err != nil {
			return nil, errProxy
		}
		return u, nil
	}
}

// sameRequest follows a redirect only to the same host and with the same method: another host must not get the credentials,
// and a GET has no request in it.
func sameRequest(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}
