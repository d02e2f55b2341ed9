package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/waybill-dev/waybill/pkg/image"
)

// Step is what is to be done for one index.
type Step struct {
	// Target is its name in the registry.
	Target name.Tag
	// Digest is that of the index.
	Digest v1.Hash

	stored  image.Stored
	tag     bool             // the tag does not name it yet
	missing []image.Attached // what the registry does not list as attached
}

// Done reports whether the registry has all of it.
func (s *Step) Done() bool { return !s.tag && len(s.missing) == 0 }

// Plan asks the registry what it has, and writes nothing. It is an error if the tag names something else there, unless tags may move.
func (p *Pusher) Plan(ctx context.Context, stored image.Stored) (*Step, error) {
	step := &Step{stored: stored}
	err := p.plan(ctx, step)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stored.Reference, p.access.Redact(err))
	}
	return step, nil
}

func (p *Pusher) plan(ctx context.Context, step *Step) (err error) {
	if step.Target, err = p.target(step.stored.Reference); err != nil {
		return err
	}
	if step.Digest, err = step.stored.Index.Digest(); err != nil {
		return err
	}
	there, err := p.head(ctx, step.Target)
	if err != nil {
		return err
	}
	if there != nil && there.Digest != step.Digest && !p.options.MoveTags {
		return fmt.Errorf("tag %s is in %s already, and names %s, not %s: build with another --tag, or confirm with --move-tags",
			step.Target.TagStr(), step.Target.Context(), there.Digest, step.Digest)
	}
	step.tag = there == nil || there.Digest != step.Digest
	step.missing = step.stored.Attached
	if !step.tag {
		step.missing, err = p.missing(ctx, step)
	}
	return err
}

// head returns what the registry has under a tag; nil if there is nothing. Some registries deny that a repository exists until there is
// an image.
func (p *Pusher) head(ctx context.Context, tag name.Tag) (*v1.Descriptor, error) {
	d, err := p.puller.Head(ctx, tag)
	var refused *transport.Error
	if errors.As(err, &refused) && (refused.StatusCode == http.StatusNotFound || refused.StatusCode == http.StatusForbidden) {
		return nil, nil
	}
	return d, err
}

// missing returns what is to be attached and is not listed by the registry.
func (p *Pusher) missing(ctx context.Context, step *Step) (out []image.Attached, err error) {
	for _, a := range step.stored.Attached {
		list, err := remote.Referrers(step.Target.Context().Digest(a.Subject.String()), p.with(ctx)...)
		if err != nil {
			return nil, err
		}
		manifest, err := list.IndexManifest()
		if err != nil {
			return nil, err
		}
		digest, err := a.Image.Digest()
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(manifest.Manifests, func(d v1.Descriptor) bool { return d.Digest == digest }) {
			out = append(out, a)
		}
	}
	return out, nil
}

func (p *Pusher) with(ctx context.Context) []remote.Option {
	return append([]remote.Option{remote.WithContext(ctx)}, p.remote...)
}

// Do sends what a step says.
func (p *Pusher) Do(ctx context.Context, step *Step) error {
	if err := p.do(ctx, step); err != nil {
		return fmt.Errorf("%s: %w", step.stored.Reference, p.access.Redact(err))
	}
	return nil
}

func (p *Pusher) do(ctx context.Context, step *Step) error {
	repository := step.Target.Context()
	if step.tag {
		if err := p.pusher.Push(ctx, repository.Digest(step.Digest.String()), step.stored.Index); err != nil {
			return err
		}
	}
	for _, a := range step.missing {
		if err := p.attach(ctx, repository, a.Image); err != nil {
			return err
		}
	}
	if step.tag {
		return p.pusher.Push(ctx, step.Target, step.stored.Index)
	}
	return nil
}

// attach sends an artifact. Its manifest is always sent: a registry may have it and not list it.
func (p *Pusher) attach(ctx context.Context, repository name.Repository, artifact v1.Image) error {
	blobs, err := artifact.Layers()
	if err != nil {
		return err
	}
	config, err := partial.ConfigLayer(artifact)
	if err != nil {
		return err
	}
	for _, blob := range append(blobs, config) {
		if err := p.pusher.Upload(ctx, repository, blob); err != nil {
			return err
		}
	}
	digest, err := artifact.Digest()
	if err != nil {
		return err
	}
	return p.pusher.Put(ctx, repository.Digest(digest.String()), artifact)
}
