package registry

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// List returns every revision, by package, number and workspace, which is the tag.
func (s *Store) List() ([]revision.Revision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []revision.Revision
	for pkg, tags := range s.shown {
		for name, t := range tags {
			out = append(out, revision.Revision{
				Name: revision.ObjectName(s.name, pkg, name), Repository: s.name, Package: pkg, Path: pkg, Workspace: name,
				Revision: numberOf(name), Lifecycle: porch.Published, Ref: "refs/tags/" + name, Digest: t.digest,
			})
		}
	}
	return revision.SortAndMark(out), nil
}

// Lock is the place of a revision: the repository of its package, the tag, and the digest.
func (s *Store) Lock(rev revision.Revision) revision.Lock {
	return revision.Lock{Repo: s.of(rev.Package).URL(), Ref: rev.Workspace, Commit: rev.Digest}
}

// Content reads the files of a revision: those at its digest, whatever its tag names now.
func (s *Store) Content(rev revision.Revision) (pkgtree.Tree, error) {
	ctx, cancel := context.WithTimeout(s.reading, s.limits.Timeout)
	defer cancel()
	ref := s.of(rev.Package).WithTag(rev.Workspace)
	if rev.Digest == "" { // it has no number
		digest, err := s.client.Resolve(ctx, ref)
		if err != nil {
			return pkgtree.Tree{}, err
		}
		rev.Digest = digest
	}
	return s.tree(ctx, ref.WithDigest(rev.Digest))
}

// At reads the package that a lock names, in a folder of the artifact.
func (s *Store) At(lock revision.Lock) (pkgtree.Tree, error) {
	ref, err := oci.ParseReference(lock.Repo)
	switch {
	case err != nil:
		return pkgtree.Tree{}, err
	case ref.Registry != s.at.Registry || !strings.HasPrefix(ref.Repository, s.prefix()):
		return pkgtree.Tree{}, fmt.Errorf("%s is not below %s", ref, s.URL())
	case !oci.IsDigest(lock.Commit):
		return pkgtree.Tree{}, fmt.Errorf("%q is no digest of an artifact", lock.Commit)
	}
	ctx, cancel := context.WithTimeout(s.reading, s.limits.Timeout)
	defer cancel()
	tree, err := s.tree(ctx, ref.WithDigest(lock.Commit))
	if err != nil {
		return pkgtree.Tree{}, err
	}
	if dir := strings.Trim(path.Clean("/"+lock.Directory), "/"); dir != "" {
		return tree.Sub(dir), nil
	}
	return tree, nil
}

// tree reads the files of an artifact that is named by digest.
func (s *Store) tree(ctx context.Context, ref oci.Reference) (pkgtree.Tree, error) {
	tree, err, _ := s.pulls.Do(ref.String(), func() (any, error) {
		if tree, ok := s.trees.get(ref); ok {
			return tree, nil
		}
		pulled, err := s.client.Pull(ctx, ref)
		if err != nil {
			return pkgtree.Tree{}, err
		}
		tree, _, err := pulled.Tree(oci.UnpackLimits{Files: maxFiles, Bytes: maxUnpacked})
		if err != nil {
			return tree, fmt.Errorf("%s: %w", ref, err)
		}
		s.trees.put(ref, tree)
		return tree, nil
	})
	return tree.(pkgtree.Tree), err
}

// A package has at most maxPulled bytes in the registry, maxUnpacked bytes in its files, and maxFiles files.
const (
	maxPulled   = 64 << 20
	maxUnpacked = 128 << 20
	maxFiles    = 20_000
)
