package gitrepo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
)

// remote opens sessions with the server, one at a time.
type remote struct {
	*endpoint
	client  transport.Transport
	silence *idle.Timer
	web     *bounded // nil for what is not on the web
	at      string   // the URL that is asked: a server may have sent us elsewhere
	auth    transport.AuthMethod
	ask     func(context.Context, string) (Answer, error)
	asked   map[string]bool // the places that credentials were asked for
	note    string          // what to say if they are refused
	verdict func(ctx context.Context, good bool)
}

func newRemote(e *endpoint, opts Options) (*remote, error) {
	bounds := opts.Bounds.ForHistory()
	r := &remote{endpoint: e, silence: idle.New(bounds.Silence, bounds.Timeout), at: e.name, asked: map[string]bool{}}
	if e.local != "" {
		r.client = &pipeClient{connectLocal(e.local), bounds, r.silence}
		return r, nil
	}
	if e.ssh != nil {
		t, err := e.ssh.by(opts.SSH.User, e.name)
		r.client = &pipeClient{connectSSH(t, opts.SSH), bounds, r.silence}
		return r, err
	}
	web, err := webTransport(e, opts)
	r.web = &bounded{web: web, bounds: bounds, silence: r.silence}
	r.client = githttp.NewClient(&http.Client{Transport: r.web})
	r.auth, r.ask = authMethod(e.creds), opts.Ask
	return r, err
}

func webTransport(e *endpoint, opts Options) (*http.Transport, error) {
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
	return web, nil
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
	return r.converse(ctx, 1, func(ctx context.Context) error {
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
	const hooks = 10 // they may take their time, and say nothing
	return r.converse(ctx, hooks, func(ctx context.Context) error {
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
