package oci

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// TagError says that a tag names another artifact already.
type TagError struct {
	Ref      Reference
	Is, Want string // digests
}

// Error says what the tag names.
func (e *TagError) Error() string {
	return fmt.Sprintf("%s: the tag names %s already, and not %s", e.Ref, e.Is, e.Want)
}

// Push sends an artifact and tags it, and returns its digest. It sends nothing if the registry has it under that tag. It is a TagError if
// the tag names another artifact, before or after the push, unless tags may move. A reference without a tag is pushed by digest alone.
func (c *Client) Push(ctx context.Context, ref Reference, a *Artifact) (digest string, err error) {
	manifest, err := a.Manifest()
	if err != nil {
		return "", c.failed(ref, err)
	}
	digest = Digest(manifest)
	if ref.Digest != "" && ref.Digest != digest {
		return "", fmt.Errorf("%s: the artifact to push has the digest %s", ref, digest)
	}
	done, err := c.names(ctx, ref, digest)
	if err == nil && !done {
		err = c.push(ctx, ref.WithTag(ref.Tag), a, rawManifest{manifest, a.MediaType})
		if err == nil && ref.Tag != "" && !c.options.MoveTags { // registries cannot refuse the second of two pushes at a time
			_, err = c.names(ctx, ref, digest)
		}
	}
	var moved *TagError
	if errors.As(err, &moved) {
		return digest, err
	}
	if err != nil {
		return digest, c.failed(ref, err)
	}
	return digest, nil
}

// Has asks the registry whether a tag names the artifact of that digest. It is a TagError if it names another one, unless tags may move.
func (c *Client) Has(ctx context.Context, ref Reference, digest string) (bool, error) {
	has, err := c.names(ctx, ref, digest)
	var moved *TagError
	if err != nil && !errors.As(err, &moved) {
		err = c.failed(ref, err)
	}
	return has, err
}

// names is Has, for references without a tag, too.
func (c *Client) names(ctx context.Context, ref Reference, digest string) (bool, error) {
	asked := ref.WithTag(ref.Tag)
	if ref.Tag == "" {
		asked = ref.WithDigest(digest)
	}
	named, err := c.reference(asked)
	if err != nil {
		return false, err
	}
	d, err := c.puller.Head(ctx, named)
	switch {
	case isUnknown(err):
		return false, nil
	case err != nil:
		return false, err
	case d.Digest.String() != digest && !c.options.MoveTags:
		return false, &TagError{Ref: asked, Is: d.Digest.String(), Want: digest}
	}
	return d.Digest.String() == digest, nil
}

// isUnknown reports whether a registry has nothing there. Some registries deny that a repository exists until there is an image.
func isUnknown(err error) bool {
	var refused *transport.Error
	return errors.As(err, &refused) && (refused.StatusCode == http.StatusNotFound || refused.StatusCode == http.StatusForbidden)
}

// push sends the blobs, then the manifest: a tag always names something whole.
func (c *Client) push(ctx context.Context, ref Reference, a *Artifact, m rawManifest) error {
	repo, err := c.repository(ref)
	if err != nil {
		return err
	}
	if ref.Tag != "" { // another tag may name it
		_, err := c.puller.Head(ctx, repo.Digest(Digest(m.data)))
		if err == nil {
			return c.pusher.Put(ctx, repo.Tag(ref.Tag), m)
		}
		if !isUnknown(err) {
			return err
		}
	}
	for _, b := range append([]Blob{a.config()}, a.Layers...) {
		if err := c.pusher.Upload(ctx, repo, static.NewLayer(b.Data, types.MediaType(b.MediaType))); err != nil {
			return err
		}
	}
	var to name.Reference = repo.Digest(Digest(m.data))
	if ref.Tag != "" {
		to = repo.Tag(ref.Tag)
	}
	return c.pusher.Put(ctx, to, m)
}

// Tag gives an artifact that the registry has, by its digest, another tag. It is a TagError if the tag names another artifact, unless tags
// may move.
func (c *Client) Tag(ctx context.Context, ref Reference, tag string) error {
	done, err := c.names(ctx, ref.WithTag(tag), ref.Digest)
	var moved *TagError
	if done || errors.As(err, &moved) {
		return err
	}
	var repo name.Repository
	if err == nil {
		repo, err = c.repository(ref)
	}
	if err == nil {
		var d *remote.Descriptor
		if d, err = c.puller.Get(ctx, repo.Digest(ref.Digest)); err == nil {
			err = c.pusher.Put(ctx, repo.Tag(tag), rawManifest{d.Manifest, string(d.MediaType)})
		}
	}
	if err != nil {
		return c.failed(ref, err)
	}
	return nil
}

// rawManifest is a manifest to send.
type rawManifest struct {
	data      []byte
	mediaType string
}

// RawManifest are its bytes.
func (m rawManifest) RawManifest() ([]byte, error) { return m.data, nil }

// MediaType is what it is.
func (m rawManifest) MediaType() (types.MediaType, error) {
	if m.mediaType == "" {
		return types.OCIManifestSchema1, nil
	}
	return types.MediaType(m.mediaType), nil
}

// Digest names it.
func (m rawManifest) Digest() (v1.Hash, error) { return v1.NewHash(Digest(m.data)) }

// Size is the number of its bytes.
func (m rawManifest) Size() (int64, error) { return int64(len(m.data)), nil }
