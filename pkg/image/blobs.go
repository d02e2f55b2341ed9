package image

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// writeIndexBlobs writes idx and all below it, children first.
func writeIndexBlobs(dir string, idx v1.ImageIndex) error {
	index, err := idx.IndexManifest()
	if err != nil {
		return err
	}
	for _, desc := range index.Manifests {
		img, err := idx.Image(desc.Digest)
		if err != nil {
			return err
		}
		if err := writeImageBlobs(dir, img); err != nil {
			return err
		}
	}
	raw, err := idx.RawManifest()
	if err != nil {
		return err
	}
	return writeBlob(dir, raw)
}

func writeImageBlobs(dir string, img v1.Image) error {
	layers, err := img.Layers()
	if err != nil {
		return err
	}
	var parts []func() ([]byte, error)
	for _, layer := range layers {
		parts = append(parts, func() ([]byte, error) { return packedLayer(layer) })
	}
	for _, part := range append(parts, img.RawConfigFile, img.RawManifest) {
		raw, err := part()
		if err == nil {
			err = writeBlob(dir, raw)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func packedLayer(layer v1.Layer) ([]byte, error) {
	packed, err := layer.Compressed()
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(packed)
	return raw, errors.Join(err, packed.Close())
}

// writeBlob names content by its own hash, so that the name of a blob is always right. It replaces a damaged blob.
func writeBlob(dir string, content []byte) error {
	hash, _, err := v1.SHA256(bytes.NewReader(content))
	if err != nil {
		return err
	}
	return writeBytes(blobPath(dir, hash), content)
}

func blobPath(dir string, h v1.Hash) string {
	return filepath.Join(dir, "blobs", h.Algorithm, h.Hex)
}

// dropUnnamed removes every sha256 blob that index.json does not name, directly or through others.
func dropUnnamed(dir string) error {
	var index node
	if err := readJSON(filepath.Join(dir, "index.json"), &index); err != nil {
		return err
	}
	named := map[string]bool{}
	if err := markNamed(dir, index, named); err != nil {
		return err
	}
	blobs := filepath.Join(dir, "blobs", "sha256")
	entries, err := os.ReadDir(blobs)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if named[e.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(blobs, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// node is what an index and an image manifest may point to; each has a part of these fields.
type node struct {
	Manifests []v1.Descriptor `json:"manifests"`
	Layers    []v1.Descriptor `json:"layers"`
	Config    *v1.Descriptor  `json:"config"`
}

// markNamed adds the blobs that n points to, of unknown kinds, too: other tools wrote these, and need their blobs.
func markNamed(dir string, n node, named map[string]bool) error {
	for _, leaf := range n.Layers {
		named[leaf.Digest.Hex] = true
	}
	if n.Config != nil {
		named[n.Config.Digest.Hex] = true
	}
	for _, child := range n.Manifests {
		if named[child.Digest.Hex] {
			continue
		}
		named[child.Digest.Hex] = true
		if err := markChild(dir, child, named); err != nil {
			return err
		}
	}
	return nil
}

func markChild(dir string, child v1.Descriptor, named map[string]bool) error {
	raw, err := os.ReadFile(blobPath(dir, child.Digest))
	if os.IsNotExist(err) {
		return nil // a sparse layout may name what it does not hold
	}
	if err != nil {
		return err
	}
	var next node
	if json.Unmarshal(raw, &next) != nil {
		return nil // not an index or manifest, so it points to nothing
	}
	return markNamed(dir, next, named)
}
