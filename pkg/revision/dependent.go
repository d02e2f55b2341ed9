package revision

import (
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// Known is a revision among those of several repositories.
type Known struct {
	Revision
	Namespace string // of its Repository object
	Store     *Store
	URL       string // the repository's address as locks record it; empty where it is the Store's
}

// is reports whether both are one revision of one Repository object.
func (k Known) is(other Known) bool { return k.Namespace == other.Namespace && k.Name == other.Name }

// Dependent returns the first of all, in their order, that has rev as its upstream: it was cloned from
// or upgraded to rev, as its commits say by name or the lock in its Kptfile by place. Such a rev is not
// to be deleted, or its dependents could be updated no more. (A package that cannot be read cannot be
// updated anyway: what its Kptfile says does not count.) O(files), but not their bytes.
func Dependent(rev Known, all []Known) (Known, bool) {
	for _, k := range all {
		if k.is(rev) {
			continue
		}
		if k.Namespace == rev.Namespace && takenFrom(k.Task) == rev.Name || rev.liesAt(k.Store.upstreamLock(k.Revision)) {
			return k, true
		}
	}
	return Known{}, false
}

// takenFrom names the upstream of a revision that begins with t, "" where t does not say.
func takenFrom(t *porch.Task) string {
	switch {
	case t == nil:
	case t.Clone != nil && t.Clone.Upstream.UpstreamRef != nil:
		return t.Clone.Upstream.UpstreamRef.Name
	case t.Upgrade != nil:
		return t.Upgrade.NewUpstream.Name
	}
	return ""
}

// upstreamLock is the lock in the Kptfile of rev, zero when there is none that can be read.
func (s *Store) upstreamLock(rev Revision) kptfilev1.GitLock {
	tree, err := s.Content(rev)
	if err != nil {
		return kptfilev1.GitLock{}
	}
	data, _ := tree.Get(kptfile.Name)
	f, err := kptfile.Parse(kptfile.Name, data)
	if err != nil || f.Spec.UpstreamLock == nil || f.Spec.UpstreamLock.Git == nil {
		return kptfilev1.GitLock{}
	}
	return *f.Spec.UpstreamLock.Git
}

// liesAt reports whether a lock leads to k. Porch leaves the repository's own directory out of the
// lock's.
func (k Known) liesAt(lock kptfilev1.GitLock) bool {
	at := k.Store.Lock(k.Revision)
	dir := strings.Trim(lock.Directory, "/")
	return lock.Ref != "" && (gitrepo.SameRepository(lock.Repo, at.Repo) || gitrepo.SameRepository(lock.Repo, k.URL)) &&
		(dir == k.Path || dir == k.Package) && gitrepo.Ref{Name: lock.Ref}.Short() == at.Ref
}
