package upstream

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// Registry is the Source of packages in registries. kpt's Kptfile knows no registries, and refuses what it does not know. So a Kptfile
// names them as Git repositories whose URL begins with oci://: the ref is a tag, and the commit of the lock is a digest.
type Registry struct {
	Client *oci.Client
	// Key, when set, must have signed each artifact that Fetch returns. What a lock names was verified before.
	Key *oci.Key
}

// Fetch implements Source.
func (r Registry) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	ref, err := referenceOf(from.Repo, from.Ref)
	if err != nil {
		return nil, err
	}
	tag := ref.Tag
	digest, err := r.Client.Resolve(ctx, ref)
	if err == nil && r.Key != nil {
		err = r.Client.Verify(ctx, ref.WithDigest(digest), r.Key)
	}
	if err != nil {
		return nil, err
	}
	if tag == "" {
		tag = digest
	}
	return r.pull(ctx, ref.WithDigest(digest), tag, from.Directory)
}

// FetchLocked implements Source.
func (r Registry) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	ref, err := oci.ParseReference(lock.Repo)
	if err != nil {
		return nil, err
	}
	if !oci.IsDigest(lock.Commit) {
		return nil, fmt.Errorf("upstreamLock.git.commit %q: want sha256: and 64 hex digits", lock.Commit)
	}
	return r.pull(ctx, ref.WithDigest(lock.Commit), lock.Ref, lock.Directory)
}

func (r Registry) pull(ctx context.Context, ref oci.Reference, tag, dir string) (*gitrepo.Fetched, error) {
	p, err := r.Client.Pull(ctx, ref)
	if err != nil {
		return nil, err
	}
	f := &gitrepo.Fetched{Digest: p.Digest, Resolved: gitrepo.Resolved{Ref: tag}}
	if f.Tree, f.Executable, err = p.Tree(oci.UnpackLimits{}); err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	if dir = directory(dir); dir != "" {
		f.Tree, f.Executable = f.Tree.Sub(dir), below(f.Executable, dir)
	}
	if f.Tree.Len() == 0 {
		return nil, fmt.Errorf("%s: there is no file in the folder %q of the artifact", ref, path.Join("/", dir))
	}
	return f, nil
}

// below are the paths in dir, without it.
func below(paths []string, dir string) (out []string) {
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
			out = append(out, rest)
		}
	}
	return out
}

// joinRef is the tag and the digest of a reference: TAG, DIGEST or TAG@DIGEST.
func joinRef(ref oci.Reference) string {
	return strings.Join(slices.DeleteFunc([]string{ref.Tag, ref.Digest}, func(s string) bool { return s == "" }), "@")
}

// referenceOf is the artifact that a repository and a ref name.
func referenceOf(repo, ref string) (oci.Reference, error) {
	tag, digest, hasDigest := strings.Cut(ref, "@")
	if !hasDigest && oci.IsDigest(ref) {
		tag, digest = "", ref
	}
	if strings.Contains(tag, ":") {
		return oci.Reference{}, fmt.Errorf("%s: the ref %q is neither a tag nor a digest: want a tag, or sha256: and 64 hex digits", repo, ref)
	}
	if tag != "" {
		repo += ":" + tag
	}
	if digest != "" {
		repo += "@" + digest
	}
	return oci.ParseReference(repo)
}

// Sources fetches from registries what has a URL that begins with oci://, and the rest from Git.
type Sources struct {
	Git      Source
	Registry Registry
}

// Fetch implements Source.
func (s Sources) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	if oci.IsURL(from.Repo) {
		return s.Registry.Fetch(ctx, from)
	}
	if s.Registry.Key != nil {
		return nil, fmt.Errorf("repository %q: %w", WithoutSecret(from.Repo), errNoSignature)
	}
	return s.Git.Fetch(ctx, from)
}

var errNoSignature = errors.New("is in Git, and --verify-key verifies only artifacts of registries: " +
	"get the package without --verify-key, or from a registry")

// FetchLocked implements Source.
func (s Sources) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	if oci.IsURL(lock.Repo) {
		return s.Registry.FetchLocked(ctx, lock)
	}
	return s.Git.FetchLocked(ctx, lock)
}
