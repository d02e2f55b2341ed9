package revision

import (
	"context"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Lock is the place of a revision in the form of a Kptfile's upstreamLock.
type Lock struct {
	Repo      string // URL without credentials
	Directory string // of the package in the repository, in full
	Ref       string // short: net/upf/v3, drafts/net/upf/w, main
	Commit    string
}

// Lock is the place of rev.
func (s *Store) Lock(rev Revision) Lock {
	repo := s.repo.URL()
	if !strings.HasSuffix(repo, ".git") {
		repo += ".git"
	}
	return Lock{Repo: repo, Directory: rev.Path, Ref: gitrepo.Ref{Name: rev.Ref}.Short(), Commit: rev.Commit.String()}
}

// Repository is what the commands of users read of a repository and change in it. In Git, a *Store is one.
type Repository interface {
	// Content reads the files of a revision.
	Content(rev Revision) (pkgtree.Tree, error)
	// At reads the package that a lock names.
	At(lock Lock) (pkgtree.Tree, error)
	// Lock is the place of a revision.
	Lock(rev Revision) Lock
	// URL is the address of the repository, without credentials.
	URL() string
	// MainRef is the full name of the main branch; "" if there is none.
	MainRef() string
	// CheckBranch says what is wrong with the main branch.
	CheckBranch() error

	// CreateDraft makes a draft, UpdateDraft gives it new content, and ChangeAll brings revisions to other stages of their life cycle.
	CreateDraft(ctx context.Context, req DraftRequest) (Revision, error)
	UpdateDraft(ctx context.Context, rev Revision, up Update) (Revision, error)
	ChangeAll(ctx context.Context, changes []Change, by Stamp) ([]Revision, error)
}

var _ Repository = (*Store)(nil)

// Known is a revision among those of several repositories.
type Known struct {
	Revision
	Namespace string // of its Repository object
	Store     Repository
	URL       string // of the repository as locks record it; empty if it is the Store's
}

// is reports whether both are the same revision of the same Repository object.
func (k Known) is(other Known) bool {
	return k.Namespace == other.Namespace && k.Name == other.Name && k.Ref == other.Ref
}

// hasNamesake reports whether k is not published and a published revision has its name: others mean that one.
func (k Known) hasNamesake(all []Known) bool {
	return !k.Lifecycle.IsPublished() && slices.ContainsFunc(all, func(o Known) bool {
		return o.Namespace == k.Namespace && o.Name == k.Name && o.Lifecycle.IsPublished()
	})
}

// Dependent returns the first of all, in their order, that has rev as its upstream: it was cloned from
// or upgraded to rev. Its commits name rev, or the lock in its Kptfile names the place of rev. Such a rev must not
// be deleted, since its dependents could not be updated afterwards. (A package that cannot be read cannot be
// updated in any case: its Kptfile does not count.) O(files), but not their bytes.
func Dependent(rev Known, all []Known) (Known, bool) {
	names := !rev.hasNamesake(all)
	for _, k := range all {
		if k.is(rev) {
			continue
		}
		if names && k.Namespace == rev.Namespace && upstreamOf(k.Task) == rev.Name || rev.isAt(upstreamLock(k.Store, k.Revision)) {
			return k, true
		}
	}
	return Known{}, false
}

// upstreamOf names the upstream of a revision that begins with t, "" when t does not name one.
func upstreamOf(t *porch.Task) string {
	switch {
	case t == nil:
	case t.Clone != nil && t.Clone.Upstream.UpstreamRef != nil:
		return t.Clone.Upstream.UpstreamRef.Name
	case t.Upgrade != nil:
		return t.Upgrade.NewUpstream.Name
	}
	return ""
}

// upstreamLock is the lock in the Kptfile of rev, zero when there is no valid one.
func upstreamLock(s Repository, rev Revision) kptfilev1.GitLock {
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

// isAt reports whether a lock names the place of k. Porch leaves the repository's own directory out of the
// lock's directory.
func (k Known) isAt(lock kptfilev1.GitLock) bool {
	at := k.Store.Lock(k.Revision)
	dir := strings.Trim(lock.Directory, "/")
	return lock.Ref != "" && (gitrepo.SameRepository(lock.Repo, at.Repo) || gitrepo.SameRepository(lock.Repo, k.URL)) &&
		(dir == at.Directory || dir == k.Package) && gitrepo.Ref{Name: lock.Ref}.Short() == at.Ref
}
