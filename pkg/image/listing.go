package image

import (
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Listing names what an index holds by digest: what users pin and what two builds must agree on.
type Listing struct {
	// Digest of the index itself, sha256:<hex>.
	Digest string `json:"digest"`
	// Platforms in the order of the index.
	Platforms []Manifest `json:"platforms"`
}

// Manifest is the image of one platform.
type Manifest struct {
	Platform string `json:"platform"`
	Digest   string `json:"digest"`
	// Size in bytes of what a pull fetches: manifest, config and layers.
	Size int64 `json:"size"`
}

// List returns the digests of idx and of each image in it.
func List(idx v1.ImageIndex) (Listing, error) {
	digest, err := idx.Digest()
	if err != nil {
		return Listing{}, fmt.Errorf("digest of index: %w", err)
	}
	index, err := idx.IndexManifest()
	if err != nil {
		return Listing{}, fmt.Errorf("index %s: %w", digest, err)
	}
	list := Listing{Digest: digest.String(), Platforms: []Manifest{}}
	for _, desc := range index.Manifests {
		m, err := listOne(idx, desc)
		if err != nil {
			return Listing{}, fmt.Errorf("image %s in index %s: %w", desc.Digest, digest, err)
		}
		list.Platforms = append(list.Platforms, m)
	}
	return list, nil
}

func listOne(idx v1.ImageIndex, desc v1.Descriptor) (Manifest, error) {
	img, err := idx.Image(desc.Digest)
	if err != nil {
		return Manifest{}, err
	}
	manifest, err := img.Manifest()
	if err != nil {
		return Manifest{}, err
	}
	size := desc.Size + manifest.Config.Size
	for _, layer := range manifest.Layers {
		size += layer.Size
	}
	return Manifest{Platform: platformOf(desc), Digest: desc.Digest.String(), Size: size}, nil
}

func platformOf(desc v1.Descriptor) string {
	if desc.Platform == nil {
		return ""
	}
	return desc.Platform.String()
}

// find returns the image of idx for p.
func find(idx v1.ImageIndex, p Platform) (v1.Image, error) {
	index, err := idx.IndexManifest()
	if err != nil {
		return nil, err
	}
	var have []string
	for _, desc := range index.Manifests {
		if platformOf(desc) == p.String() {
			return idx.Image(desc.Digest)
		}
		have = append(have, platformOf(desc))
	}
	return nil, fmt.Errorf("no image for %s, only for %q", p, have)
}
