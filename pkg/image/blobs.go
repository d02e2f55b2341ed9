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

// putBlob writes a blob.
type putBlob func(content []byte) error

// writeIndexBlobs writes idx and all below it, children first.
func writeIndexBlobs(put putBlob, idx v1.ImageIndex) error {
	index, err := idx.IndexManifest()
	if err != nil {
		return err
	}
	for _, desc := range index.Manifests {
		img, err := idx.Image(desc.Digest)
		if err != nil {
			return err
		}
		if err := writeImageBlobs(put, img); err != nil {
			return err
		}
	}
	raw, err := idx.RawManifest()
	if err != nil {
		return err
	}
	return put(raw)
}

func writeImageBlobs(put putBlob, img v1.Image) error {
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
			err = put(raw)
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

// blobsOf returns what writes blobs into the layout in dir. It names content by its own hash, so that the name of a blob is always
// right, and replaces a damaged blob.
func blobsOf(dir string) putBlob {
	return func(content []byte) error {
		hash, _, err := v1.SHA256(bytes.NewReader(content))
		if err != nil {
			return err
		}
		return writeBytes(blobPath(dir, hash), content)
	}
}

func blobPath(dir string, h v1.Hash) string {
	return filepath.Join(dir, "blobs", h.Algorithm, h.Hex)
}

// dropUnnamed removes every sha256 blob that the index does not name, directly or through others.
func dropUnnamed(dir string, index *v1.IndexManifest) error {
	named, err := namedBlobs(dir, index)
	if err != nil {
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

// namedBlobs returns the blobs that the index of a layout names, directly or through others.
func namedBlobs(dir string, index *v1.IndexManifest) (map[string]bool, error) {
	named := map[string]bool{}
	return named, markNamed(dir, node{Manifests: index.Manifests}, named)
}

// node is what an index and an image manifest may point to; each has a part of these fields.
type node struct {
	Manifests []v1.Descriptor `json:"manifests"`
	Layers    []v1.Descriptor `json:"layers"`
	Config    *v1.Descriptor  `json:"config"`
	Subject   *v1.Descriptor  `json:"subject"`
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
	next, err := readNode(dir, child)
	if err != nil {
		return err
	}
	return markNamed(dir, next, named)
}

// readNode reads what a blob points to: nothing if it is no index and no manifest, or if it is missing, as a sparse layout may name
// what it does not hold.
func readNode(dir string, d v1.Descriptor) (n node, err error) {
	raw, err := readManifest(blobPath(dir, d.Digest))
	if os.IsNotExist(err) {
		return n, nil
	}
	if err != nil || json.Unmarshal(raw, &n) != nil {
		return node{}, err
	}
	return n, nil
}
