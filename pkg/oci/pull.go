package oci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Pulled is an artifact of a registry, and the digest of its manifest.
type Pulled struct {
	Artifact
	Digest string
}

// Pull reads an artifact with all its blobs, and checks their digests and sizes.
func (c *Client) Pull(ctx context.Context, ref Reference) (*Pulled, error) {
	p, err := c.pull(ctx, ref)
	if err != nil {
		return nil, c.failed(ref, err)
	}
	return p, nil
}

func (c *Client) pull(ctx context.Context, ref Reference) (*Pulled, error) {
	named, err := c.reference(ref)
	if err != nil {
		return nil, err
	}
	data, err := c.manifest(ctx, ref, named)
	if err != nil {
		return nil, err
	}
	digest := Digest(data)
	if ref.Digest != "" && digest != ref.Digest {
		return nil, fmt.Errorf("the registry sent a manifest with the digest %s", digest)
	}
	m, err := parseManifest(data)
	if err == nil {
		err = c.options.Limits.check(m)
	}
	if err != nil {
		return nil, fmt.Errorf("manifest %s: %w", digest, err)
	}
	p := &Pulled{Digest: digest, Artifact: Artifact{
		MediaType: string(m.MediaType), ArtifactType: m.ArtifactType, Annotations: m.Annotations,
	}}
	if s := m.Subject; s != nil {
		p.Subject = &Descriptor{MediaType: string(s.MediaType), Digest: s.Digest.String(), Size: s.Size}
	}
	return p, c.blobs(ctx, named.Context(), m, p)
}

// manifest reads a manifest.
func (c *Client) manifest(ctx context.Context, ref Reference, named name.Reference) ([]byte, error) {
	get := func() ([]byte, error) {
		d, err := c.puller.Get(ctx, named)
		if err != nil {
			return nil, err
		}
		return d.Manifest, nil
	}
	if ref.Digest == "" {
		return get()
	}
	return c.content(ref.Name(), ref.Digest, get)
}

// parseManifest parses the manifest of an artifact. Lists of images, and manifests of old Docker registries, name no single one.
func parseManifest(data []byte) (*v1.Manifest, error) {
	m := &v1.Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	switch {
	case m.SchemaVersion != 2:
		return nil, fmt.Errorf("has schemaVersion %d, and not 2", m.SchemaVersion)
	case m.MediaType == types.OCIImageIndex || m.MediaType == types.DockerManifestList:
		return nil, errors.New("is a list of images for several platforms, and no package: name one of its manifests by digest")
	case m.MediaType != "" && m.MediaType != types.OCIManifestSchema1 && m.MediaType != types.DockerManifestSchema2:
		return nil, fmt.Errorf("has the media type %q, and is no manifest of an artifact", m.MediaType)
	case m.Config.MediaType == "" || len(m.Layers) == 0:
		return nil, errors.New("names no config or no layers")
	}
	return m, nil
}

// check bounds what is read for a manifest before it is read.
func (l Limits) check(m *v1.Manifest) error {
	if len(m.Layers) > l.Layers {
		return fmt.Errorf("has %d layers, and more than %d are not read", len(m.Layers), l.Layers)
	}
	var sum int64
	for _, d := range append([]v1.Descriptor{m.Config}, m.Layers...) {
		if !IsDigest(d.Digest.String()) {
			return fmt.Errorf("names a blob %q, which is no SHA-256 digest", d.Digest)
		}
		if d.Size < 0 || d.Size > l.Bytes {
			return fmt.Errorf("blob %s has %d bytes, and more than %d are not read", d.Digest, d.Size, l.Bytes)
		}
		sum += d.Size
	}
	if sum > l.Bytes {
		return fmt.Errorf("its blobs have %d bytes, and more than %d are not read", sum, l.Bytes)
	}
	return nil
}

func (c *Client) blobs(ctx context.Context, repo name.Repository, m *v1.Manifest, p *Pulled) (err error) {
	if p.Config, err = c.blob(ctx, repo, m.Config); err != nil {
		return err
	}
	for _, d := range m.Layers {
		b, err := c.blob(ctx, repo, d)
		if err != nil {
			return err
		}
		p.Layers = append(p.Layers, b)
	}
	return nil
}

// embeddedIn is the content of a blob that the manifest has, or that its digest alone tells; nil for another one.
func embeddedIn(d v1.Descriptor) []byte {
	for _, data := range [][]byte{d.Data, emptyJSON} {
		if data != nil && int64(len(data)) == d.Size && Digest(data) == d.Digest.String() {
			return data
		}
	}
	return nil
}

// blob reads a blob.
func (c *Client) blob(ctx context.Context, repo name.Repository, d v1.Descriptor) (b Blob, err error) {
	b = Blob{MediaType: string(d.MediaType), Annotations: d.Annotations, Embed: d.Data != nil}
	if b.Data = embeddedIn(d); b.Data == nil {
		b.Data, err = c.content(repo.Name(), d.Digest.String(), func() ([]byte, error) { return c.blobData(ctx, repo, d) })
	}
	if err == nil && int64(len(b.Data)) != d.Size { // of another manifest, which was cached
		err = fmt.Errorf("blob %s: the manifest says %d bytes, and it has %d", d.Digest, d.Size, len(b.Data))
	}
	return b, err
}

// blobData reads a blob of the size that the manifest says, and not a byte more.
func (c *Client) blobData(ctx context.Context, repo name.Repository, d v1.Descriptor) ([]byte, error) {
	layer, err := c.puller.Layer(ctx, repo.Digest(d.Digest.String()))
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", d.Digest, err)
	}
	r, err := layer.Compressed()
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", d.Digest, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, d.Size+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("blob %s: %w", d.Digest, err)
	case int64(len(data)) != d.Size:
		return nil, fmt.Errorf("blob %s: the manifest says %d bytes, and the registry sent another number", d.Digest, d.Size)
	case Digest(data) != d.Digest.String():
		return nil, fmt.Errorf("blob %s: the registry sent other content, with the digest %s", d.Digest, Digest(data))
	}
	return data, nil
}
