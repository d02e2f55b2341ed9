package oci

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Media types and annotations that Flux's OCIRepository knows.
const (
	FluxConfig  = "application/vnd.cncf.flux.config.v1+json"
	FluxContent = "application/vnd.cncf.flux.content.v1.tar+gzip"

	Created  = "org.opencontainers.image.created"
	Source   = "org.opencontainers.image.source"
	Revision = "org.opencontainers.image.revision"
	Title    = "org.opencontainers.image.title"
	Version  = "org.opencontainers.image.version"
)

// Artifact is what one manifest names.
type Artifact struct {
	// MediaType is that of the manifest. Default: an OCI image manifest.
	MediaType string
	// ArtifactType says what the artifact is if the config does not.
	ArtifactType string
	// Config is a blob, too. Default: OCI's empty config, {}.
	Config      Blob
	Layers      []Blob
	Annotations map[string]string
	// Subject is the manifest that this one is attached to.
	Subject *Descriptor
}

// Blob is the content of an artifact, in whole.
type Blob struct {
	MediaType   string
	Data        []byte
	Annotations map[string]string
	// Embed also puts the content into the manifest, which is then enough to read it. For small blobs.
	Embed bool
}

// Descriptor names the content of a manifest.
type Descriptor struct {
	MediaType, Digest string
	Size              int64
}

// Digest is the digest of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// emptyConfig is that of an artifact without one.
const emptyConfig = "application/vnd.oci.empty.v1+json"

var emptyJSON = []byte("{}")

func (a *Artifact) config() Blob {
	if a.Config.MediaType == "" {
		return Blob{MediaType: emptyConfig, Data: emptyJSON}
	}
	return a.Config
}

// Manifest are the bytes of the manifest: the same artifact gives the same bytes.
func (a *Artifact) Manifest() ([]byte, error) {
	if len(a.Layers) == 0 {
		return nil, errors.New("an artifact needs at least one layer")
	}
	m := v1.Manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1, ArtifactType: a.ArtifactType,
		Config: describe(a.config()), Annotations: a.Annotations,
	}
	if a.MediaType != "" {
		m.MediaType = types.MediaType(a.MediaType)
	}
	for _, l := range a.Layers {
		m.Layers = append(m.Layers, describe(l))
	}
	if a.Subject != nil {
		digest, err := v1.NewHash(a.Subject.Digest)
		if err != nil {
			return nil, err
		}
		m.Subject = &v1.Descriptor{MediaType: types.MediaType(a.Subject.MediaType), Digest: digest, Size: a.Subject.Size}
	}
	return json.Marshal(m)
}

// Digest is the digest of the manifest, by which the artifact is named.
func (a *Artifact) Digest() (string, error) {
	data, err := a.Manifest()
	return Digest(data), err
}

func describe(b Blob) v1.Descriptor {
	sum := sha256.Sum256(b.Data)
	var embedded []byte
	if b.Embed {
		embedded = b.Data
	}
	return v1.Descriptor{
		MediaType: types.MediaType(b.MediaType), Size: int64(len(b.Data)), Annotations: b.Annotations, Data: embedded,
		Digest: v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])},
	}
}
