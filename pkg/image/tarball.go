package image

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// containerdName is the annotation by which containerd, and with it docker and kind, names an image of an archive.
const containerdName = "io.containerd.image.name"

// WriteTarball writes the images of idx to path, named ref, as podman load and docker load take them. The archive is an OCI layout,
// which holds all platforms of idx, and a docker archive of the same blobs: that of p, for a docker that does not read OCI layouts.
// Parent folders are made. The bytes depend on idx, ref and p only.
func WriteTarball(path, ref string, idx v1.ImageIndex, p Platform) error {
	if _, err := parseReference(ref); err != nil {
		return err
	}
	files, err := tarballFiles(ref, idx, p)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = writeFile(path, func(w io.Writer) error { return writeTarball(w, files) })
	}
	if err != nil {
		return fmt.Errorf("tarball of %s: %w", ref, err)
	}
	return nil
}

// tarballFiles are the files of an archive by path. What says how to read it has names that sort after "blobs".
func tarballFiles(ref string, idx v1.ImageIndex, p Platform) (map[string][]byte, error) {
	img, err := find(idx, p)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"oci-layout": []byte(layoutVersion)}
	err = writeIndexBlobs(func(content []byte) error {
		hash, _, err := v1.SHA256(bytes.NewReader(content))
		files[filepath.ToSlash(blobPath("", hash))] = content
		return err
	}, idx)
	if err != nil {
		return nil, err
	}
	if files["index.json"], err = tarballIndex(ref, idx); err != nil {
		return nil, err
	}
	files["manifest.json"], err = dockerManifest(ref, img)
	return files, err
}

func tarballIndex(ref string, idx v1.ImageIndex) ([]byte, error) {
	index := &v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex}
	if err := setReference(index, ref, idx); err != nil {
		return nil, err
	}
	index.Manifests[0].Annotations[containerdName] = ref
	return json.Marshal(index)
}

// dockerManifest is what a docker archive says of its only image.
func dockerManifest(ref string, img v1.Image) ([]byte, error) {
	m, err := img.Manifest()
	if err != nil {
		return nil, err
	}
	type image struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	one := image{Config: filepath.ToSlash(blobPath("", m.Config.Digest)), RepoTags: []string{ref}}
	for _, layer := range m.Layers {
		one.Layers = append(one.Layers, filepath.ToSlash(blobPath("", layer.Digest)))
	}
	return json.Marshal([]image{one})
}

func writeTarball(w io.Writer, files map[string][]byte) error {
	tw := tar.NewWriter(w)
	for _, folder := range []string{"blobs/", "blobs/sha256/"} {
		if err := writeEntry(tw, folder, 0o755, nil); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := writeEntry(tw, path, 0o644, files[path]); err != nil {
			return err
		}
	}
	return tw.Close()
}
