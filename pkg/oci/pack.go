package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// PackageArtifact is a package as Flux's OCIRepository takes it: one layer, and the config of an image, so that Porch reads it, too. The
// same tree, executable files and annotations give the same bytes: there is no clock in it.
func PackageArtifact(tree pkgtree.Tree, executable []string, annotations map[string]string) (*Artifact, error) {
	layer, diff, err := pack(tree, executable)
	if err != nil {
		return nil, err
	}
	hash, err := v1.NewHash(diff)
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(v1.ConfigFile{RootFS: v1.RootFS{Type: "layers", DiffIDs: []v1.Hash{hash}}})
	if err != nil {
		return nil, err
	}
	return &Artifact{Config: Blob{MediaType: FluxConfig, Data: config}, Layers: []Blob{layer}, Annotations: annotations}, nil
}

// PackTree is a package as a layer: files in path order, without owners and times.
func PackTree(tree pkgtree.Tree, executable []string) (Blob, error) {
	layer, _, err := pack(tree, executable)
	return layer, err
}

// pack returns the layer, and the digest of what is compressed in it.
func pack(tree pkgtree.Tree, executable []string) (layer Blob, diff string, err error) {
	if err := checkNames(tree); err != nil {
		return Blob{}, "", err
	}
	var plain, packed bytes.Buffer
	w := tar.NewWriter(&plain)
	for p, b := range tree.All() {
		mode := int64(0o644)
		if slices.Contains(executable, p) {
			mode = 0o755
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: p, Size: int64(len(b.Data())), Mode: mode}); err != nil {
			return Blob{}, "", fmt.Errorf("%s: %w", p, err)
		}
		if _, err := w.Write(b.Data()); err != nil {
			return Blob{}, "", fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := w.Close(); err != nil {
		return Blob{}, "", err
	}
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(plain.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	return Blob{MediaType: FluxContent, Data: packed.Bytes()}, Digest(plain.Bytes()), err
}
