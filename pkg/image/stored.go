package image

import (
	"fmt"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// Stored is an index of images in an OCI layout.
type Stored struct {
	// Reference is its name in the layout.
	Reference string
	Index     v1.ImageIndex
	// Attached are the artifacts whose subject is the index or one of its images, each with its subject's digest.
	Attached []Attached

	dir  string
	desc v1.Descriptor
}

// Attached is an artifact, and what it is attached to.
type Attached struct {
	Subject v1.Hash
	Image   v1.Image

	desc v1.Descriptor
}

// ReadLayout returns the images of an OCI layout that WriteLayout wrote, sorted by name. It reads no layers: Verify does.
func ReadLayout(dir string) ([]Stored, error) {
	out, err := readLayout(dir)
	if err != nil {
		return nil, fmt.Errorf("OCI layout %q: %w", dir, err)
	}
	return out, nil
}

func readLayout(dir string) (out []Stored, err error) {
	if err := checkVersion(dir, "not an OCI layout"); err != nil {
		return nil, err
	}
	if err := checkSmall(filepath.Join(dir, "index.json")); err != nil {
		return nil, err
	}
	root, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, err
	}
	index, err := root.IndexManifest()
	if err != nil {
		return nil, err
	}
	for _, d := range index.Manifests {
		if d.Annotations[refName] == "" {
			continue
		}
		s := Stored{Reference: d.Annotations[refName], dir: dir, desc: d}
		if s.Index, err = root.ImageIndex(d.Digest); err == nil {
			s.Attached, err = attachedTo(dir, root, index, d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Reference, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// attachedTo finds the artifacts of what d describes, and of all below it.
func attachedTo(dir string, root v1.ImageIndex, index *v1.IndexManifest, d v1.Descriptor) (out []Attached, err error) {
	below := map[string]bool{}
	if err := markNamed(dir, node{Manifests: []v1.Descriptor{d}}, below); err != nil {
		return nil, err
	}
	for _, other := range index.Manifests {
		n, err := readNode(dir, other)
		if err != nil {
			return nil, err
		}
		if n.Subject == nil || !below[n.Subject.Digest.Hex] {
			continue
		}
		img, err := root.Image(other.Digest)
		if err != nil {
			return nil, err
		}
		out = append(out, Attached{Subject: n.Subject.Digest, Image: img, desc: other})
	}
	return out, nil
}
