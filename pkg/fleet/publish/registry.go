package publish

import (
	"context"
	"errors"
	"path"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Registry has artifacts below a prefix. Its repositories are named as below the prefix; that of the index is "". Several goroutines
// may use it.
type Registry interface {
	// Digest returns the digest of a tag; "" if there is none.
	Digest(ctx context.Context, repository, tag string) (string, error)
	// Files returns what a tag names; the digest is "" if there is none.
	Files(ctx context.Context, repository, tag string) (digest string, files pkgtree.Tree, err error)
	// Push makes a tag name an artifact with these files, and returns its digest.
	Push(ctx context.Context, repository, tag string, files pkgtree.Tree, annotations map[string]string) (digest string, err error)
	// Tag makes a tag name an artifact that the repository has.
	Tag(ctx context.Context, repository, digest, tag string) error
}

// Below is the Registry of the repositories below a prefix. The client has to move tags.
func Below(prefix oci.Reference, client *oci.Client) Registry { return below{prefix, client} }

type below struct {
	prefix oci.Reference
	client *oci.Client
}

func (b below) at(repository string) oci.Reference {
	return oci.Reference{Registry: b.prefix.Registry, Repository: path.Join(b.prefix.Repository, repository)}
}

// Digest asks for a tag.
func (b below) Digest(ctx context.Context, repository, tag string) (string, error) {
	digest, err := b.client.Resolve(ctx, b.at(repository).WithTag(tag))
	if errors.Is(err, oci.ErrNotFound) {
		return "", nil
	}
	return digest, err
}

// Files pulls an artifact.
func (b below) Files(ctx context.Context, repository, tag string) (string, pkgtree.Tree, error) {
	pulled, err := b.client.Pull(ctx, b.at(repository).WithTag(tag))
	if errors.Is(err, oci.ErrNotFound) {
		return "", pkgtree.Tree{}, nil
	}
	if err != nil {
		return "", pkgtree.Tree{}, err
	}
	files, _, err := pulled.Tree(oci.UnpackLimits{})
	return pulled.Digest, files, err
}

// Push sends what the registry lacks.
func (b below) Push(ctx context.Context, repository, tag string, files pkgtree.Tree, annotations map[string]string) (string, error) {
	a, err := oci.PackageArtifact(files, nil, annotations)
	if err != nil {
		return "", err
	}
	return b.client.Push(ctx, b.at(repository).WithTag(tag), a)
}

// Tag sends the manifest again, under another tag.
func (b below) Tag(ctx context.Context, repository, digest, tag string) error {
	return b.client.Tag(ctx, b.at(repository).WithDigest(digest), tag)
}
