package image

import (
	"encoding/json"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// emptyType is the type of the configuration of what is no image.
const emptyType types.MediaType = "application/vnd.oci.empty.v1+json"

// artifact is a file that is attached to an image, as OCI 1.1 describes: a manifest that names the image as its subject.
type artifact struct {
	manifest []byte
	blobs    map[v1.Hash]v1.Layer
}

// newArtifact attaches a file to the image or index that subject describes.
func newArtifact(subject v1.Descriptor, mediaType types.MediaType, name string, content []byte) (v1.Image, error) {
	config, err := describe(static.NewLayer([]byte("{}"), emptyType), "")
	if err != nil {
		return nil, err
	}
	file := static.NewLayer(content, mediaType)
	layer, err := describe(file, name)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(v1.Manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1, ArtifactType: string(mediaType),
		Config: config, Layers: []v1.Descriptor{layer},
		Subject: &v1.Descriptor{MediaType: subject.MediaType, Digest: subject.Digest, Size: subject.Size},
	})
	if err != nil {
		return nil, err
	}
	return partial.CompressedToImage(&artifact{manifest: raw, blobs: map[v1.Hash]v1.Layer{layer.Digest: file}})
}

// describe returns the descriptor of a blob, with the name that a client gives to the file.
func describe(blob v1.Layer, name string) (v1.Descriptor, error) {
	d, err := partial.Descriptor(blob)
	if err != nil {
		return v1.Descriptor{}, err
	}
	if name != "" {
		d.Annotations = map[string]string{"org.opencontainers.image.title": name}
	}
	return *d, nil
}

// RawManifest returns the manifest.
func (a *artifact) RawManifest() ([]byte, error) { return a.manifest, nil }

// RawConfigFile returns the configuration of what is no image.
func (a *artifact) RawConfigFile() ([]byte, error) { return []byte("{}"), nil }

// MediaType is that of a manifest.
func (a *artifact) MediaType() (types.MediaType, error) { return types.OCIManifestSchema1, nil }

// LayerByDigest returns the file.
func (a *artifact) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	if blob := a.blobs[h]; blob != nil {
		return blob, nil
	}
	return nil, fmt.Errorf("no blob %s in this artifact", h)
}
