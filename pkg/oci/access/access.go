package access

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Options say how to reach registries.
type Options struct {
	// PlainHTTP allows HTTP without encryption to other machines than this one.
	PlainHTTP bool
	// Keychain has the credentials: by default, those that docker or podman keep for the user.
	Keychain authn.Keychain
	// Wait is how long to wait before the first repetition of a request. Default: one second.
	Wait time.Duration
	// CABundle has certificates in PEM to trust beside the system's.
	CABundle []byte
}

const (
	// Tries is how often a request is sent at most. Each wait is twice as long as the one before it.
	Tries = 5
	// answerTime limits how long a registry may take to answer a request.
	answerTime = 2 * time.Minute
)

// ErrPlain is why no request is sent.
var ErrPlain = errors.New("it would not be encrypted: other computers on the way could read the password, and change the images; " +
	"--plain-http allows it")

// Access reaches registries. Several goroutines may use it.
type Access struct {
	options Options
	secrets secrets
}

// New returns an Access. It sends no request.
func New(o Options) *Access {
	if o.Keychain == nil {
		o.Keychain = authn.DefaultKeychain
	}
	o.Wait = cmp.Or(o.Wait, time.Second)
	return &Access{options: o}
}

// Remote are the options for go-containerregistry.
func (a *Access) Remote() []remote.Option {
	transport := remote.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = answerTime
	if len(a.options.CABundle) > 0 {
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		roots.AppendCertsFromPEM(a.options.CABundle)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return []remote.Option{
		remote.WithTransport(&guard{next: transport, plain: a.options.PlainHTTP, silence: maxSilence, secrets: &a.secrets}),
		remote.WithAuthFromKeychain(&keychain{a.options.Keychain, &a.secrets}),
		remote.WithRetryBackoff(remote.Backoff{Duration: a.options.Wait, Factor: 2, Jitter: 0.1, Steps: Tries}),
		remote.WithUserAgent("waybill"),
	}
}

// Names are the options for names of images.
func (a *Access) Names() []name.Option {
	if a.options.PlainHTTP {
		return []name.Option{name.StrictValidation, name.Insecure}
	}
	return []name.Option{name.StrictValidation}
}

// Redact returns an error without the credentials that were sent.
func (a *Access) Redact(err error) error { return a.secrets.redact(err) }
