package image

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// refName is the annotation by which a layout's reader finds an image.
const refName = "org.opencontainers.image.ref.name"

const layoutVersion = `{"imageLayoutVersion":"1.0.0"}` + "\n"

// WriteLayout puts idx under the name ref into the OCI layout in dir, which it makes when dir is
// missing or empty, and beside it what is attached to idx and its images. Other references in the
// layout stay; what ref named before is dropped with what was attached to it, and
// with it every blob that nothing names any more. So the files in dir depend only on which
// reference names what, not on the order or number of writes. One writer at a time. A dir that
// holds anything but an OCI layout is refused and left as it was.
func WriteLayout(dir, ref string, idx v1.ImageIndex, attached ...v1.Image) error {
	if err := writeLayout(dir, ref, idx, attached); err != nil {
		return fmt.Errorf("OCI layout %q: %w", dir, err)
	}
	return nil
}

func writeLayout(dir, ref string, idx v1.ImageIndex, attached []v1.Image) error {
	if _, err := parseReference(ref); err != nil {
		return err
	}
	index, err := openLayout(dir)
	if err != nil {
		return err
	}
	before, err := namedBlobs(dir, index)
	if err != nil {
		return err
	}
	if err := writeIndexBlobs(blobsOf(dir), idx); err != nil {
		return err
	}
	if err := setReference(index, ref, idx); err != nil {
		return err
	}
	if err := attach(dir, index, attached); err != nil {
		return err
	}
	if err := dropDetached(dir, index, before); err != nil {
		return err
	}
	sortIndex(index)
	if err := writeIndexFile(dir, index); err != nil {
		return err
	}
	return dropUnnamed(dir, index)
}

// openLayout reads the index of the layout in dir, or starts one.
func openLayout(dir string) (*v1.IndexManifest, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return newLayout(dir)
	}
	if err != nil {
		return nil, err
	}
	return readIndexFile(dir)
}

func newLayout(dir string) (*v1.IndexManifest, error) {
	if err := os.MkdirAll(filepath.Join(dir, "blobs", "sha256"), 0o755); err != nil {
		return nil, err
	}
	if err := writeBytes(filepath.Join(dir, "oci-layout"), []byte(layoutVersion)); err != nil {
		return nil, err
	}
	index := &v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{}}
	return index, writeIndexFile(dir, index)
}

func readIndexFile(dir string) (*v1.IndexManifest, error) {
	if err := checkVersion(dir, "neither empty nor an OCI layout"); err != nil {
		return nil, err
	}
	index := &v1.IndexManifest{}
	if err := readJSON(filepath.Join(dir, "index.json"), index); err != nil {
		return nil, err
	}
	return index, makeBlobs(dir)
}

// makeBlobs makes the folder of blobs. It has to be in the layout: in another one, every file would be a blob that nothing names.
func makeBlobs(dir string) error {
	for _, folder := range []string{"blobs", filepath.Join("blobs", "sha256")} {
		if info, err := os.Lstat(filepath.Join(dir, folder)); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder, but a link or a file", filepath.ToSlash(folder))
		}
	}
	return os.MkdirAll(filepath.Join(dir, "blobs", "sha256"), 0o755)
}

// checkVersion wants a layout of the version that is known here, and says what the folder is otherwise.
func checkVersion(dir, otherwise string) error {
	var version struct {
		ImageLayoutVersion string `json:"imageLayoutVersion"`
	}
	if err := readJSON(filepath.Join(dir, "oci-layout"), &version); err != nil {
		return fmt.Errorf("%s: %w", otherwise, err)
	}
	if version.ImageLayoutVersion != "1.0.0" {
		return fmt.Errorf("layout version %q: want 1.0.0", version.ImageLayoutVersion)
	}
	return nil
}

func readJSON(path string, into any) error {
	raw, err := readManifest(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// setReference makes ref name idx.
func setReference(index *v1.IndexManifest, ref string, idx v1.ImageIndex) error {
	desc, err := partial.Descriptor(idx)
	if err != nil {
		return err
	}
	desc.Annotations = map[string]string{refName: ref}
	index.Manifests = slices.DeleteFunc(index.Manifests, func(d v1.Descriptor) bool {
		return d.Annotations[refName] == ref
	})
	index.Manifests = append(index.Manifests, *desc)
	return nil
}

// sortIndex sorts by name, what has none last, and then by digest, so that the order of writes does not show.
func sortIndex(index *v1.IndexManifest) {
	slices.SortStableFunc(index.Manifests, func(a, b v1.Descriptor) int {
		ref, other := a.Annotations[refName], b.Annotations[refName]
		if (ref == "") != (other == "") {
			return cmp.Compare(other, ref)
		}
		return cmp.Or(cmp.Compare(ref, other), cmp.Compare(a.Digest.Hex, b.Digest.Hex))
	})
}

func writeIndexFile(dir string, index *v1.IndexManifest) error {
	raw, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	return writeBytes(filepath.Join(dir, "index.json"), append(raw, '\n'))
}
