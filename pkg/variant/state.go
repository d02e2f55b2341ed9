package variant

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// placeholder is the number of what a main branch holds without a tag.
const placeholder = -1

// Revision is a package revision as far as Decide asks.
type Revision struct {
	// Name of the PackageRevision object: repository.package.workspace.
	Name string
	// Repo is the name of the Repository object.
	Repo, Package, Workspace string
	// Number is 0 for drafts and proposals, 1 or more when published, -1 for the placeholder.
	Number    int
	Lifecycle porch.Lifecycle
	// Owner is what it was made for, in the form of Owner; "" for none.
	Owner string
	// Set is the PackageVariantSet of its owner, in the form of SetOf; "" for none.
	Set string
	// Through is the name of the Repository object through which it was made; "" when its commits do not say.
	Through string
	// Directory is the directory of the repository that the Repository object shows, MadeIn the one that it showed when the
	// revision was made, "" for all of it; earlier releases did not record it.
	Directory, MadeIn string
	// Address is that of its repository, the same however Repository objects write its URL.
	Address string
	// Self is where it is itself.
	Self kptfilev1.GitLock
	// Approved is the commit of the draft that was approved as this published revision; "" if that is not known.
	Approved string
	// Lock is the upstreamLock of its Kptfile, nil when it has none. Only downstreams need it.
	Lock *kptfilev1.GitLock
	// Continued is the owner of a later revision of the package that is not this one's, "" for none. It is set only for what
	// the variant owns and no longer wants.
	Continued string
	// Orphaned says that it was made under the deletion policy orphan: once the variant wants another
	// package it is released, whatever the policy is then.
	Orphaned bool
	// Adopted says that others made it before its owner took it over.
	Adopted bool
	// Foreign says that it holds commits by others than the controller, after it was adopted. It is set only for open drafts that the
	// variant owns.
	Foreign bool
}

// Described is a Revision with the labels and annotations of its Kptfile, which stand for
// those of a PackageRevision object.
type Described struct {
	Revision
	Labels, Annotations map[string]string
}

// State is what exists: revisions of the upstream package (others are ignored), and revisions of
// the downstream package and whatever else the variant owns. Their order does not matter.
type State struct {
	Upstream   []Revision
	Downstream []Revision
	// Reserved are workspaces of the downstream package of which nothing is listed, and which may be there nevertheless.
	Reserved []string
	// Repositories are the names of all Repository objects of the namespace; Unread are those of them that
	// cannot be read now.
	Repositories, Unread []string
	// Living are the owners that exist as PackageVariants and are not being deleted; nil when that is not known.
	Living map[string]bool
	// Released are the owners that are known to want their packages no longer.
	Released map[string]bool
	// Claims are what other living variants want of the revisions that this one owns.
	Claims []Claim
	// DeletesEdited says that drafts are deleted although they hold commits by others.
	DeletesEdited bool
}

// Owner is how revisions name pv as their owner: "PackageVariant <namespace>/<name>".
func Owner(pv *porchconfig.PackageVariant) string {
	return porchconfig.KindPackageVariant + " " + pv.Namespace + "/" + pv.Name
}

// SetOf is how revisions name the PackageVariantSet that made pv: "<namespace>/<name>"; "" for none.
func SetOf(pv *porchconfig.PackageVariant) string {
	if ref := metav1.GetControllerOfNoCopy(pv); ref != nil && ref.Kind == v1alpha2.KindPackageVariantSet {
		return pv.Namespace + "/" + ref.Name
	}
	return ""
}

// compareNames orders revisions, so that the order they came in decides nothing.
func compareNames(a, b *Revision) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Self.Ref, b.Self.Ref))
}

// first returns the first by name of the revisions that match, nil when none does, without sorting a whole repository.
func first(revisions []Revision, match func(*Revision) bool) (found *Revision) {
	for i := range revisions {
		if r := &revisions[i]; match(r) && (found == nil || compareNames(r, found) < 0) {
			found = r
		}
	}
	return found
}

func (r *Revision) of(repo, pkg string) bool { return r.Repo == repo && r.Package == pkg }

// isDraft reports whether r is not published yet: a draft or a proposal.
func (r *Revision) isDraft() bool { return !r.Lifecycle.IsPublished() }

// Title names r in messages, also when it was deleted and only the lock on it is left.
func (r *Revision) Title() string { return cmp.Or(r.Name, r.Self.Ref) }

// refNumber is the revision number that the last segment of a ref spells, -1 when it spells none.
func refNumber(ref string) int {
	last := ref[strings.LastIndexByte(ref, '/')+1:]
	n, err := strconv.Atoi(strings.TrimPrefix(last, "v"))
	if err != nil {
		return placeholder
	}
	return n
}

const workspacePrefix = "packagevariant-"

// nextWorkspace is the name for a new revision of the downstream: one above the highest number
// in use.
func nextWorkspace(d *porchconfig.Downstream, state *State) string {
	highest := 0
	count := func(workspace string) {
		suffix, ours := strings.CutPrefix(workspace, workspacePrefix)
		if n, err := strconv.Atoi(suffix); ours && err == nil {
			highest = max(highest, n)
		}
	}
	for i := range state.Downstream {
		if r := &state.Downstream[i]; r.of(d.Repo, d.Package) {
			count(r.Workspace)
		}
	}
	for _, workspace := range state.Reserved {
		count(workspace)
	}
	return workspacePrefix + strconv.Itoa(highest+1)
}

// upToDate reports whether r was made of that upstream revision: same repository, directory,
// revision and, where both are known, commit. Without a lock there is nothing to compare. A lock on
// a draft is up to date while the draft has no new commit, also once it is proposed; for Porch it is out of date at once.
func upToDate(r, upstream *Revision) bool {
	if r.Lock == nil || r.Lock.Ref == "" {
		return true
	}
	lock, now := normalLock(*r.Lock), normalLock(upstream.Self)
	clone := gitrepo.IsLocal(lock.Repo) && gitrepo.IsLocal(now.Repo) && lock.Commit != "" && lock.Commit == now.Commit
	if clone || gitrepo.SameRepository(lock.Repo, now.Repo) { // another way to write it, or another machine, is no other upstream
		lock.Repo = now.Repo
	}
	if draft, is := draftOf(lock); is { // of drafts only the very commit will do
		now.Ref, _ = draftOf(now)
		lock.Ref = draft
		return lock == now && lock.Commit != ""
	}
	switch {
	case refNumber(lock.Ref) != upstream.Number:
		return false
	case lock.Repo != now.Repo || !sameDirectory(lock.Directory, now.Directory):
		return false
	}
	return lock.Commit == "" || now.Commit == "" || lock.Commit == now.Commit
}

// isApprovalOf reports whether upstream is the draft of which r was made, published since: both hold the same package.
func isApprovalOf(upstream, r *Revision) bool {
	return r.Lock != nil && upstream.Approved != "" && r.Lock.Commit == upstream.Approved && upstream.wasDraft(normalLock(*r.Lock))
}

// wasDraft reports whether a lock names the draft as which the published revision r began.
func (r *Revision) wasDraft(lock kptfilev1.GitLock) bool {
	draft, is := draftOf(lock)
	return is && r.Number > 0 && path.Base(draft) == r.Workspace && sameDirectory(lock.Directory, normalLock(r.Self).Directory)
}

// draftOf returns the folder and workspace of the draft or proposal at a lock, and whether there is one. The tag of a package
// in a folder of the name drafts or proposed is none.
func draftOf(lock kptfilev1.GitLock) (string, bool) {
	for _, prefix := range []string{"drafts/", "proposed/"} {
		if rest, ok := strings.CutPrefix(lock.Ref, prefix); ok && sameDirectory(lock.Directory, path.Dir(rest)) {
			return rest, true
		}
	}
	return lock.Ref, false
}

// sameDirectory accepts a lock that Porch wrote, which leaves out the repository's own directory.
func sameDirectory(lock, now string) bool {
	return lock == now || lock != "" && strings.HasSuffix(now, "/"+lock)
}

// notFound is the error of an upstream revision that is not there.
func notFound(u *porchconfig.Upstream, revision string) error {
	return fmt.Errorf("could not find upstream package revision '%s/%s' in repo '%s'", u.Package, revision, u.Repo)
}

// resolveUpstream finds the revision that u names. A workspace may be of any lifecycle, a number
// is that of a published revision, and both must agree.
func resolveUpstream(u *porchconfig.Upstream, candidates []Revision) (*Revision, error) {
	if u.WorkspaceName == "" && u.Revision == 0 {
		return nil, fmt.Errorf("spec.upstream must give workspaceName or revision: the placeholder revision of package %q in repo %q "+
			"cannot be cloned", u.Package, u.Repo)
	}
	r := first(candidates, func(r *Revision) bool { return r.of(u.Repo, u.Package) && isNamed(u, r) })
	switch {
	case r == nil && u.WorkspaceName != "":
		return nil, notFound(u, u.WorkspaceName)
	case r == nil:
		return nil, notFound(u, "v"+strconv.Itoa(u.Revision))
	case u.Revision != 0 && r.Number != u.Revision:
		return nil, fmt.Errorf("spec.upstream.workspaceName %q is revision %d of package %q, but spec.upstream.revision is %d", u.WorkspaceName,
			r.Number, u.Package, u.Revision)
	case r.Number == placeholder && inRegistry(r.Self):
		return nil, fmt.Errorf("upstream package revision %q has no number: revisions are the tags v1, v2 and so on; give the artifact "+
			"such a tag, too", r.Name)
	case r.Number == placeholder:
		return nil, fmt.Errorf("upstream package revision %q is the placeholder of its branch (revision -1), which cannot be cloned", r.Name)
	}
	return r, nil
}

func isNamed(u *porchconfig.Upstream, r *Revision) bool {
	if u.WorkspaceName != "" {
		return r.Workspace == u.WorkspaceName
	}
	return r.Number == u.Revision && r.Lifecycle.IsPublished()
}
