package oci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/oci/access"
)

// Options say how a Client reaches registries, and how much it reads.
type Options struct {
	// PlainHTTP allows HTTP without encryption to other machines than this one.
	PlainHTTP bool
	// MoveTags lets Push move a tag that names another artifact.
	MoveTags bool
	// Keychain has the credentials: by default, those that docker or podman keep for the user.
	Keychain authn.Keychain
	// Advice says in errors how to give other credentials. Default: by docker login or podman login.
	Advice string
	// Wait is how long to wait before the first repetition of a request. Default: one second.
	Wait time.Duration
	// Limits bound what is read.
	Limits Limits
	// CABundle has certificates in PEM to trust beside the system's.
	CABundle []byte
	// Cache keeps what was pulled by digest; nil keeps nothing. What one CacheScope put there, such as a namespace, no other one reads.
	Cache      *diskcache.Folder
	CacheScope string
}

// Limits bound what is read from a registry. A zero field means its default.
type Limits struct {
	Bytes  int64 // most bytes of all blobs of an artifact, as they are sent; default 256 MiB
	Layers int   // most layers; default 64
	Tags   int   // most tags of a repository, and repositories of a registry; default 100,000
	Pages  int   // most pages of a list; default 1000
}

func (l Limits) withDefaults() Limits {
	l.Bytes = cmp.Or(l.Bytes, 256<<20)
	l.Layers = cmp.Or(l.Layers, 64)
	l.Tags = cmp.Or(l.Tags, 100_000)
	l.Pages = cmp.Or(l.Pages, 1000)
	return l
}

// ErrNotFound says that a registry does not have an artifact, or that it does not show it without credentials.
var ErrNotFound = errors.New("not found in the registry")

// Client talks to registries. Several goroutines may use it.
type Client struct {
	options Options
	access  *access.Access
	puller  *remote.Puller
	pusher  *remote.Pusher
	remote  []remote.Option
}

// New returns a Client. It sends no request.
func New(o Options) (*Client, error) {
	o.Limits = o.Limits.withDefaults()
	c := &Client{options: o, access: access.New(access.Options{
		PlainHTTP: o.PlainHTTP, Keychain: o.Keychain, Wait: o.Wait, CABundle: o.CABundle,
	})}
	c.remote = c.access.Remote()
	var err error
	if c.puller, err = remote.NewPuller(c.remote...); err != nil {
		return nil, err
	}
	c.pusher, err = remote.NewPusher(c.remote...)
	return c, err
}

// Resolve returns the digest that a reference names. A tag beside a digest is not asked for.
func (c *Client) Resolve(ctx context.Context, ref Reference) (string, error) {
	if ref.Digest != "" {
		return ref.Digest, nil
	}
	named, err := c.reference(ref)
	if err != nil {
		return "", c.failed(ref, err)
	}
	d, err := c.puller.Head(ctx, named)
	if err == nil && !IsDigest(d.Digest.String()) {
		err = fmt.Errorf("the registry names the artifact %q, which is no SHA-256 digest", d.Digest)
	}
	if err != nil {
		return "", c.failed(ref, err)
	}
	return d.Digest.String(), nil
}

// reference is what a manifest is asked for by: the digest if there is one, or else the tag.
func (c *Client) reference(ref Reference) (name.Reference, error) {
	repo, err := c.repository(ref)
	switch {
	case err != nil:
		return nil, err
	case ref.Digest != "":
		return repo.Digest(ref.Digest), nil
	case ref.Tag == "":
		return nil, errors.New("names neither a tag nor a digest: append :TAG or @sha256:DIGEST")
	}
	return repo.Tag(ref.Tag), nil
}

func (c *Client) repository(ref Reference) (name.Repository, error) {
	return name.NewRepository(ref.Name(), c.access.Names()...)
}

// failed says of what an error is, without credentials.
func (c *Client) failed(ref Reference, err error) error {
	if isMissing(err) {
		return fmt.Errorf("%s: %w", ref, ErrNotFound)
	}
	if isRefused(err) {
		advice := c.options.Advice
		if advice == "" {
			advice = fmt.Sprintf("log in with 'docker login %s' or 'podman login %s'", ref.Registry, ref.Registry)
		}
		return fmt.Errorf("%s: %w; %s", ref, c.access.Redact(err), advice)
	}
	return fmt.Errorf("%s: %w", ref, c.access.Redact(err))
}

// isRefused reports whether a registry wants other credentials.
func isRefused(err error) bool {
	var refused *transport.Error
	return errors.As(err, &refused) && (refused.StatusCode == http.StatusUnauthorized || refused.StatusCode == http.StatusForbidden)
}

// isMissing reports whether a registry says that it does not have something.
func isMissing(err error) bool {
	var refused *transport.Error
	return errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound
}
