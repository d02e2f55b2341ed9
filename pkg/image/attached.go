package image

import (
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
)

// attach writes artifacts into the layout in dir, each in the place of one of the same type that the same image has.
func attach(dir string, index *v1.IndexManifest, attached []v1.Image) error {
	for _, artifact := range attached {
		if err := writeImageBlobs(blobsOf(dir), artifact); err != nil {
			return err
		}
		desc, err := partial.Descriptor(artifact)
		if err != nil {
			return err
		}
		manifest, err := artifact.Manifest()
		if err != nil {
			return err
		}
		desc.ArtifactType = manifest.ArtifactType
		index.Manifests = slices.DeleteFunc(index.Manifests, func(d v1.Descriptor) bool {
			old, err := readNode(dir, d)
			return err == nil && old.Subject != nil && old.Subject.Digest == manifest.Subject.Digest && d.ArtifactType == desc.ArtifactType
		})
		index.Manifests = append(index.Manifests, *desc)
	}
	return nil
}

// dropDetached drops from the index what was attached to something that the index named before, and no longer names. What is attached
// to such an artifact, as a signature is, goes with it.
func dropDetached(dir string, index *v1.IndexManifest, before map[string]bool) error {
	for {
		now, err := namedBlobs(dir, index)
		if err != nil {
			return err
		}
		kept := make([]v1.Descriptor, 0, len(index.Manifests))
		for _, d := range index.Manifests {
			n, err := readNode(dir, d)
			if err != nil {
				return err
			}
			if n.Subject == nil || now[n.Subject.Digest.Hex] || !before[n.Subject.Digest.Hex] {
				kept = append(kept, d)
			}
		}
		done := len(kept) == len(index.Manifests)
		index.Manifests = kept
		if done {
			return nil
		}
	}
}
