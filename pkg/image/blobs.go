package image

import (
	"bytes"
	"encoding/json"
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
	for _, layer := range layers {
		if err := writeLayerBlob(dir, layer); err != nil {
			return err
		}
	}
	config, err := img.RawConfigFile()
	if err != nil {
		return err
	}
	if err := writeBlob(dir, config); err != nil {
		return err
	}
	manifest, err := img.RawManifest()
	if err != nil {
		return err
	}
	return writeBlob(dir, manifest)
}

func writeLayerBlob(dir string, layer v1.Layer) error {
	packed, err := layer.Compressed()
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(packed)
	if closed := packed.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return writeBlob(dir, raw)
}

// writeBlob names content by its own hash, so that a blob can never lie about itself. One that
// was damaged since is put right.
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

// dropUnnamed removes every sha256 blob that index.json does not reach.
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

// markNamed adds what n points to. It must not stop at kinds it does not know: they are somebody
// else's, and losing their blobs would be our fault.
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
