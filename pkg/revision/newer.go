package revision

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Upstream is the package that a revision was made of.
type Upstream struct {
	// Lock is what the Kptfile records.
	Lock kptfilev1.GitLock
	// At is the revision there; nil if it was deleted, or if the lock names a branch that moved.
	At *Known
	// Published are the published revisions of the package, in order of their numbers.
	Published []Known
	// Number is that of At, 0 if it is not published.
	Number int
}

// UpstreamOf finds the upstream of rev among all revisions. A revision without an upstream, or of which no Repository in
// its namespace shows the upstream, is an error.
func UpstreamOf(rev Known, all []Known) (Upstream, error) {
	u := Upstream{Lock: upstreamLock(rev.Store, rev.Revision)}
	if u.Lock.Repo == "" || u.Lock.Commit == "" {
		return u, fmt.Errorf("%s has no upstream: its Kptfile has no upstreamLock.git", rev.Name)
	}
	var there []Known
	for _, k := range all {
		if k.Namespace == rev.Namespace && k.shows(u.Lock) {
			there = append(there, k)
		}
	}
	if len(there) == 0 {
		return u, fmt.Errorf("the upstream of %s is %q of %s, and no Repository of namespace %q shows that package: make one",
			rev.Name, u.Lock.Directory, gitrepo.Redact(u.Lock.Repo), rev.Namespace)
	}
	for _, k := range there {
		if k.Lifecycle.IsPublished() && k.Revision.Revision > 0 {
			u.Published = append(u.Published, k)
		}
	}
	slices.SortStableFunc(u.Published, func(a, b Known) int { return a.Revision.Revision - b.Revision.Revision })
	u.find(rev, there)
	return u, nil
}

// find finds the revision at the lock: the published one of that ref; or of that commit, as Porch may write a branch as the ref; or
// the one that the commits of rev name; or a draft.
func (u *Upstream) find(rev Known, there []Known) {
	ref := gitrepo.Ref{Name: u.Lock.Ref}.Short()
	named := upstreamOf(rev.Task)
	for _, is := range []func(Known) bool{
		func(k Known) bool { return gitrepo.Ref{Name: k.Ref}.Short() == ref },
		func(k Known) bool { return k.Commit.String() == u.Lock.Commit },
		func(k Known) bool { return k.Name == named },
	} {
		if i := slices.IndexFunc(u.Published, is); i >= 0 {
			u.At, u.Number = &u.Published[i], u.Published[i].Revision.Revision
			return
		}
	}
	if i := slices.IndexFunc(there, func(k Known) bool { return k.isAt(u.Lock) }); i >= 0 {
		u.At = &there[i]
	}
	if _, n := upstreamRevision(u.Lock); n > 0 {
		u.Number = n
	}
}

// Name is the name of the revision At, or without one the ref that the Kptfile records.
func (u Upstream) Name() string {
	if u.At != nil {
		return u.At.Name
	}
	return u.Lock.Ref
}

// Newer are the published revisions after At.
func (u Upstream) Newer() []Known {
	return slices.DeleteFunc(slices.Clone(u.Published), func(k Known) bool { return k.Revision.Revision <= u.Number })
}

// Base reads the package at the commit that the lock names, and says where that was.
func (u Upstream) Base(all []Known) (tree pkgtree.Tree, at kptfilev1.GitLock, err error) {
	for _, k := range all {
		if !k.shows(u.Lock) {
			continue
		}
		at = u.Lock
		at.Directory = k.Store.Lock(k.Revision).Directory // Porch leaves the repository's own directory out
		if tree, err = k.Store.At(Lock(at)); err == nil && tree.Blob("Kptfile") != nil {
			return tree, at, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("no Repository has a package at %q", u.Lock.Directory)
	}
	return tree, at, fmt.Errorf("commit %s of %s, of which the package was made, cannot be read: %w",
		u.Lock.Commit, gitrepo.Redact(u.Lock.Repo), err)
}

// shows reports whether k is a revision of the package that a lock names.
func (k Known) shows(lock kptfilev1.GitLock) bool {
	dir, at := path.Clean(strings.Trim(lock.Directory, "/")), k.Store.Lock(k.Revision)
	return (dir == path.Clean(at.Directory) || dir == k.Package) &&
		(gitrepo.SameRepository(lock.Repo, at.Repo) || gitrepo.SameRepository(lock.Repo, k.URL) ||
			path.IsAbs(lock.Repo) && gitrepo.Address(lock.Repo) == gitrepo.Address(k.Store.URL()))
}

// SelfLock is the place of a revision, at the address that its Repository object gives, as a clone records it.
func (k Known) SelfLock() kptfilev1.GitLock {
	l := k.Store.Lock(k.Revision)
	return kptfilev1.GitLock{Repo: cmp.Or(k.URL, l.Repo), Directory: l.Directory, Ref: l.Ref, Commit: l.Commit}
}
