package revision

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// HydratorFile is the file at the root of a branch that names the commit from which the branch was rendered. Tools that promote from
// branch to branch, such as GitOps Promoter, read it.
const HydratorFile = "hydrator.metadata"

// hydratorMetadata is the content of that file, in the format of those tools.
type hydratorMetadata struct {
	DrySHA  string `json:"drySha"`
	RepoURL string `json:"repoURL,omitempty"`
}

// hydrated is root, which holds rev, with a HydratorFile that names the upstream commit that rev was made from, or a
// newer one. A package without an upstream changes nothing.
func (b *bundle) hydrated(root gitrepo.Hash, rev Revision) (gitrepo.Hash, error) {
	if !b.store.cfg.HydratorMetadata {
		return root, nil
	}
	lock := upstreamLock(b.store, rev)
	if _, err := gitrepo.ParseHash(lock.Commit); err != nil { // there is none, or it is the digest of an artifact
		return root, nil
	}
	lock, err := b.newestLock(root, rev, lock)
	if err != nil {
		return root, err
	}
	data, err := json.MarshalIndent(hydratorMetadata{DrySHA: lock.Commit, RepoURL: lock.Repo}, "", "  ")
	if err != nil {
		return root, err
	}
	return b.stage.PutFile(root, HydratorFile, pkgtree.NewBlob(append(data, '\n')))
}

// newestLock is the lock of rev or, since packages are approved in any order, of the package in root that was made from the highest
// revision of the same upstream package. The commits of the upstream are not at hand to compare: if the ref is a branch, or if packages
// have different upstreams, the lock of rev counts.
func (b *bundle) newestLock(root gitrepo.Hash, rev Revision, lock kptfilev1.GitLock) (kptfilev1.GitLock, error) {
	if _, n := upstreamRevision(lock); n == Placeholder {
		return lock, nil
	}
	others, err := b.others(rev)
	if err != nil {
		return lock, err
	}
	for _, at := range slices.Sorted(maps.Keys(others)) {
		id, err := b.stage.DirID(root, at)
		if err != nil {
			return lock, err
		}
		if !id.IsZero() { // else the same push deletes it
			lock = newer(lock, b.store.knownLock(id, others[at]))
		}
	}
	return lock, nil
}

// others are the packages on the main branch and in the bundle except rev's, by path.
func (b *bundle) others(rev Revision) (map[string]Revision, error) {
	revs, err := b.store.placeholders()
	if err != nil {
		return nil, err
	}
	out := map[string]Revision{}
	for _, r := range revs {
		out[r.Path] = r
	}
	maps.Copy(out, b.merged)
	delete(out, rev.Path)
	return out, nil
}

// knownLock is the lock of rev, whose content is tree. Each tree is read once.
func (s *Store) knownLock(tree gitrepo.Hash, rev Revision) kptfilev1.GitLock {
	if known, ok := s.locks.Load(tree); ok {
		return known.(kptfilev1.GitLock)
	}
	lock := upstreamLock(s, rev)
	s.locks.Store(tree, lock)
	return lock
}

// newer is other if it names a higher revision of the same package as lock.
func newer(lock, other kptfilev1.GitLock) kptfilev1.GitLock {
	pkg, n := upstreamRevision(lock)
	otherPkg, m := upstreamRevision(other)
	if other.Commit != "" && gitrepo.SameRepository(other.Repo, lock.Repo) && otherPkg == pkg && m > n {
		return other
	}
	return lock
}

// upstreamRevision is the package and the number in the tag of a published revision, for example net/upf/v3. The number is Placeholder
// for any other ref.
func upstreamRevision(lock kptfilev1.GitLock) (pkg string, n int) {
	pkg, last := path.Split(gitrepo.Ref{Name: lock.Ref}.Short())
	if !strings.HasPrefix(last, "v") {
		return pkg, Placeholder
	}
	return pkg, number(last)
}
