package push

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Options says where a Pusher sends images, and how.
type Options struct {
	// To is a registry, and a path in it, that takes the place of the one in the images' names. Empty: the images' own names.
	To string
	// PlainHTTP allows HTTP without encryption to other machines than this one.
	PlainHTTP bool
	// MoveTags lets a tag that names another image name the new one.
	MoveTags bool
	// Keychain has the credentials: by default, those that docker or podman keep for the user.
	Keychain authn.Keychain
	// Wait is how long to wait before the first repetition of a request. Default: one second.
	Wait time.Duration
}

const (
	// tries is how often a request is sent at most. Each wait is twice as long as the one before it.
	tries = 5
	// answerTime limits how long a registry may take to answer a request.
	answerTime = 2 * time.Minute
)

// Pusher sends images to one place.
type Pusher struct {
	options Options
	secrets *secrets
	pusher  *remote.Pusher
	puller  *remote.Puller
	remote  []remote.Option
}

// New returns a Pusher. It sends no request.
func New(o Options) (*Pusher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &Pusher{options: o, secrets: &secrets{}}
	p.remote = o.remote(p.secrets)
	var err error
	if p.pusher, err = remote.NewPusher(p.remote...); err != nil {
		return nil, err
	}
	p.puller, err = remote.NewPuller(p.remote...)
	return p, err
}

func (o Options) check() error {
	if o.To == "" {
		return nil
	}
	if strings.Contains(o.To, "@") { // and no message repeats a password
		return errors.New("has an @: want REGISTRY or REGISTRY/PATH, without credentials; log in with docker or podman")
	}
	if strings.Contains(o.To, "://") {
		return fmt.Errorf("%q: want REGISTRY or REGISTRY/PATH, without a scheme", o.To)
	}
	if _, err := name.NewTag(o.To+"/image:tag", name.StrictValidation); err != nil {
		return fmt.Errorf("%q: want REGISTRY or REGISTRY/PATH: %w", o.To, err)
	}
	return nil
}

func (o Options) remote(s *secrets) []remote.Option {
	transport := remote.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = answerTime
	if o.Keychain == nil {
		o.Keychain = authn.DefaultKeychain
	}
	if o.Wait == 0 {
		o.Wait = time.Second
	}
	return []remote.Option{
		remote.WithTransport(&guard{next: transport, plain: o.PlainHTTP, secrets: s}),
		remote.WithAuthFromKeychain(&keychain{o.Keychain, s}),
		remote.WithRetryBackoff(remote.Backoff{Duration: o.Wait, Factor: 2, Jitter: 0.1, Steps: tries}),
		remote.WithUserAgent("waybill"),
	}
}

// target is the name under which an image of a layout goes to the registry.
func (o Options) target(reference string) (name.Tag, error) {
	tag, err := name.NewTag(reference, name.StrictValidation)
	if err != nil {
		return tag, err
	}
	if o.To != "" {
		path := tag.RepositoryStr()
		reference = o.To + "/" + path[strings.LastIndex(path, "/")+1:] + ":" + tag.TagStr()
	}
	options := []name.Option{name.StrictValidation}
	if o.PlainHTTP {
		options = append(options, name.Insecure)
	}
	return name.NewTag(reference, options...)
}

// errPlain is why no request is sent.
var errPlain = errors.New("it would not be encrypted: other computers on the way could read the password, and change the images; " +
	"--plain-http allows it")
