package image

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Verify reads every blob of the index, of its images and of what is attached to them, and compares it with its digest and size.
func (s Stored) Verify() error {
	all := []v1.Descriptor{s.desc}
	for _, a := range s.Attached {
		all = append(all, a.desc)
	}
	v := verifier{dir: s.dir, known: map[known]bool{}}
	for _, d := range all {
		if err := v.tree(d); err != nil {
			return fmt.Errorf("OCI layout %q: %s: %w; build it again", s.dir, s.Reference, err)
		}
	}
	return nil
}

// verifier verifies each blob of a layout once: an index may name another one very often, and that one a third.
type verifier struct {
	dir   string
	known map[known]bool
}

// known is a blob, alone or with all that it points to.
type known struct {
	digest v1.Hash
	size   int64
	tree   bool
}

// tree verifies a blob, and then all that it points to.
func (v *verifier) tree(d v1.Descriptor) error {
	if v.isKnown(d, true) {
		return nil
	}
	if err := v.blob(d); err != nil {
		return err
	}
	n, err := readNode(v.dir, d)
	if err != nil {
		return err
	}
	if n.Config != nil {
		n.Layers = append(n.Layers, *n.Config)
	}
	for _, leaf := range n.Layers {
		if err := v.blob(leaf); err != nil {
			return err
		}
	}
	for _, child := range n.Manifests {
		if err := v.tree(child); err != nil {
			return err
		}
	}
	return nil
}

// isKnown reports whether the blob was here before, and remembers it.
func (v *verifier) isKnown(d v1.Descriptor, tree bool) bool {
	k := known{d.Digest, d.Size, tree}
	before := v.known[k]
	v.known[k] = true
	return before
}

func (v *verifier) blob(d v1.Descriptor) error {
	if v.isKnown(d, false) {
		return nil
	}
	path := blobPath(v.dir, d.Digest)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blob %s is missing", d.Digest)
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != d.Size { // a pipe or a device may have no end
		return fmt.Errorf("blob %s is damaged", d.Digest)
	}
	return compareBlob(path, d)
}

func compareBlob(path string, d v1.Descriptor) error {
	f, err := os.Open(path) // #nosec G304 -- of the layout that the user named
	if err != nil {
		return err
	}
	defer f.Close()
	hash, size, err := v1.SHA256(io.LimitReader(f, d.Size+1))
	if err == nil && (hash != d.Digest || size != d.Size) {
		err = fmt.Errorf("blob %s is damaged", d.Digest)
	}
	return err
}
