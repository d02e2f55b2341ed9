package push

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/waybill-dev/waybill/pkg/oci/access"
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

// Pusher sends images to one place.
type Pusher struct {
	options Options
	access  *access.Access
	pusher  *remote.Pusher
	puller  *remote.Puller
	remote  []remote.Option
}

// New returns a Pusher. It sends no request.
func New(o Options) (*Pusher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &Pusher{options: o, access: access.New(access.Options{PlainHTTP: o.PlainHTTP, Keychain: o.Keychain, Wait: o.Wait})}
	p.remote = p.access.Remote()
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

// target is the name under which an image of a layout goes to the registry.
func (p *Pusher) target(reference string) (name.Tag, error) {
	tag, err := name.NewTag(reference, name.StrictValidation)
	if err != nil {
		return tag, err
	}
	if p.options.To != "" {
		path := tag.RepositoryStr()
		reference = p.options.To + "/" + path[strings.LastIndex(path, "/")+1:] + ":" + tag.TagStr()
	}
	return name.NewTag(reference, p.access.Names()...)
}
