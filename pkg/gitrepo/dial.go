package gitrepo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/file"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// remote opens sessions with the server. Each session belongs to one goroutine.
type remote struct {
	*endpoint
	client transport.Transport
	auth   transport.AuthMethod
}

func newRemote(e *endpoint, opts Options) (*remote, error) {
	if e.local != "" {
		return &remote{endpoint: e, client: file.DefaultClient}, nil
	}
	if e.ssh != nil {
		return &remote{endpoint: e, client: &sshClient{target: e.ssh, ssh: opts.SSH, bounds: opts.Bounds.forHistory()}}, nil
	}
	web := http.DefaultTransport.(*http.Transport).Clone()
	if len(opts.CABundle) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool() // no system roots: the bundle alone decides
		}
		if !pool.AppendCertsFromPEM(opts.CABundle) {
			return nil, fmt.Errorf("repository %q: CA bundle holds no PEM certificate", e.name)
		}
		web.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return &remote{endpoint: e, client: githttp.NewClient(&http.Client{Transport: &bounded{web: web, bounds: opts.Bounds.forHistory()}}), auth: authMethod(e.creds)}, nil
}

// authMethod returns nil, and not a nil pointer in an interface, when there is nothing to say.
func authMethod(c Credentials) transport.AuthMethod {
	switch {
	case c.BearerToken != "":
		return &githttp.TokenAuth{Token: c.BearerToken}
	case c.Username != "" || c.Password != "":
		return &githttp.BasicAuth{Username: c.Username, Password: c.Password}
	}
	return nil
}

// uploadPack runs f in a session for reading, with the refs the server shows (nil: it has none).
func (r *remote) uploadPack(ctx context.Context, f func(context.Context, transport.UploadPackSession, *packp.AdvRefs) error) error {
	return r.converse(ctx, func(ctx context.Context) error {
		s, err := r.client.NewUploadPackSession(r.target(), r.auth)
		if err != nil {
			return err
		}
		defer s.Close()
		adv, err := s.AdvertisedReferencesContext(ctx)
		if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
			return err
		}
		return f(ctx, s, adv)
	})
}

// receivePack runs f in a session for writing, with the refs the server shows.
func (r *remote) receivePack(ctx context.Context, f func(context.Context, transport.ReceivePackSession, *packp.AdvRefs) error) error {
	return r.converse(ctx, func(ctx context.Context) error {
		s, err := r.client.NewReceivePackSession(r.target(), r.auth)
		if err != nil {
			return err
		}
		defer s.Close()
		adv, err := s.AdvertisedReferencesContext(ctx)
		if err != nil {
			return err
		}
		return f(ctx, s, adv)
	})
}

// target is a fresh endpoint per session, because go-git rewrites it when a server redirects.
func (r *remote) target() *transport.Endpoint {
	if r.ep == nil {
		return nil
	}
	ep := *r.ep
	return &ep
}

// converse runs one whole session apart, so that a cancelled context ends the wait even where a
// local git does not let go, and gives what went wrong its type.
func (r *remote) converse(ctx context.Context, f func(context.Context) error) error {
	if r.local != "" {
		if _, err := os.Stat(r.local); err != nil {
			return &NotFoundError{URL: r.name, Err: err}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // also frees a response body that go-git left open
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	select {
	case err := <-done:
		return r.classify(ctx, err)
	case <-ctx.Done():
		return r.classify(ctx, context.Cause(ctx))
	}
}

// classify turns what go-git reports into this room's errors. Errors of this room pass.
func (r *remote) classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	var pack *PackError
	switch {
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return &UnreachableError{URL: r.name, Err: ctx.Err()}
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return &NotFoundError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return &AuthError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthorizationFailed):
		return &AuthError{URL: r.name, Denied: true, Err: err}
	case errors.As(err, &pack):
		return &PackError{URL: r.name, Err: pack.Err}
	case isOurs(err):
		return err
	}
	return &UnreachableError{URL: r.name, Err: err}
}

func isOurs(err error) bool {
	switch err.(type) {
	case *StaleError, *RejectedError, *UnreachableError, *RefError, *RefNameError, *GoneError:
		return true
	}
	return err == errDeclined
}

// bare takes off wrappers that say nothing of use, or that hide their cause from errors.Is.
func bare(err error) error {
	for {
		var unexpected *plumbing.UnexpectedError
		var permanent *plumbing.PermanentError
		var web *url.Error
		switch {
		case errors.As(err, &unexpected):
			err = unexpected.Err
		case errors.As(err, &permanent):
			err = permanent.Err
		case errors.As(err, &web): // repeats the URL
			err = web.Err
		default:
			return err
		}
	}
}
