// Package transport talks to Git repositories: over HTTP, over SSH, and to those of this machine through the user's git.
//
// Shape: New parses a URL and returns a Remote. Read runs a function in a Session, which shows the refs and fetches a pack;
// Push moves refs, all or none. Where an HTTP server wants credentials, the Remote asks for them once and repeats the request.
// Cost: one connection or process for each conversation, which ends with its context and after the time limits of pack.Bounds.
// Trust: none in a server: lists of refs, answers and error pages are bounded; credentials go to the location that they are for.
// Errors: *NotFoundError, *AuthError, *UnreachableError, *pack.Error; for a push *StaleError and *RejectedError. None repeats a
// secret.
// Source: Git documentation, gitprotocol-pack and gitprotocol-http.
package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// Options say how to reach a repository. They are as in gitrepo.Options.
type Options struct {
	Credentials auth.Credentials
	Ask         func(ctx context.Context, url string) (auth.Answer, error)
	SSH         auth.SSH
	CABundle    []byte
	Bounds      pack.Bounds
}

// Remote is one repository, on a server or on this machine. It has one conversation at a time.
type Remote struct {
	*endpoint
	bounds   pack.Bounds
	client   transport.Transport
	idle     *idle.Timer
	http     *boundedHTTP // nil for what is not reached by HTTP
	location string       // the URL that credentials are sent to: a server may have redirected there
	auth     transport.AuthMethod
	ask      func(context.Context, string) (auth.Answer, error)
	asked    map[string]bool // the URLs that credentials were asked for
	note     string          // what to say if they are refused
	verify   func(ctx context.Context, accepted bool)
}

// New returns the repository at url, without a connection to it.
func New(url string, opts Options) (*Remote, error) {
	e, err := parseURL(url, opts.Credentials)
	if err != nil {
		return nil, err
	}
	bounds := opts.Bounds.ForHistory()
	r := &Remote{endpoint: e, bounds: opts.Bounds, idle: idle.New(bounds.Silence, bounds.Timeout), location: e.name, asked: map[string]bool{}}
	if e.local != "" {
		r.client = &processClient{connectLocal(e.local), bounds, r.idle}
		return r, nil
	}
	if e.ssh != nil {
		t, err := e.ssh.withUser(opts.SSH.User, e.name)
		r.client = &processClient{connectSSH(t, opts.SSH), bounds, r.idle}
		return r, err
	}
	if e.daemon != "" {
		r.client = &processClient{connectDaemon(e), bounds, r.idle}
		return r, nil
	}
	client, err := httpTransport(e, opts)
	r.http = &boundedHTTP{next: client, bounds: bounds, idle: r.idle}
	r.client = githttp.NewClient(&http.Client{Transport: r.http})
	r.auth, r.ask = authMethod(e.creds), opts.Ask
	return r, err
}

// URL names the repository, without password, and without user unless it is reached by SSH.
func (r *Remote) URL() string { return r.name }

// Dir is the absolute path of a repository of this machine, and otherwise empty.
func (r *Remote) Dir() string { return r.local }

func httpTransport(e *endpoint, opts Options) (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if len(opts.CABundle) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool() // no system roots: the bundle alone decides
		}
		if !pool.AppendCertsFromPEM(opts.CABundle) {
			return nil, fmt.Errorf("repository %q: CA bundle holds no PEM certificate", e.name)
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return t, nil
}

// authMethod returns nil, and not a nil pointer in an interface, when there is nothing to say.
func authMethod(c auth.Credentials) transport.AuthMethod {
	switch {
	case c.BearerToken != "":
		return &githttp.TokenAuth{Token: c.BearerToken}
	case c.Username != "" || c.Password != "":
		return &githttp.BasicAuth{Username: c.Username, Password: c.Password}
	}
	return nil
}

// target is a fresh endpoint per session, because go-git rewrites it when a server redirects.
func (r *Remote) target() *transport.Endpoint {
	if r.ep == nil {
		return nil
	}
	ep := *r.ep
	return &ep
}
