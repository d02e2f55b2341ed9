// Package revision keeps package revisions in Git, in Porch's layout: drafts and proposals are
// branches, published revisions are tags and a directory of the main branch.
//
// Shape: a Store is one repository's revisions. List reads all of them from the Repo's view; each
// change is one atomic push that succeeds only if no other client moved the refs that it is based on. Nothing is ever
// force-pushed. A commit depends on its request and its parents only: the same request gives
// the same commit id.
// Cost: List is O(refs), and caches what it read of a commit; a change is one push, however
// many drafts it makes.
// Errors: *RefusedError for what Porch's rules forbid, gitrepo's errors for the rest; most often
// *gitrepo.StaleError when another client was first.
// Source: Porch's PackageRevision life cycle and its Git layout.
package revision

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Placeholder is the revision number of packages on the main branch, and of tags without a number.
const Placeholder = -1

// Revision is one revision of one package.
type Revision struct {
	Name       string // of the PackageRevision object
	Repository string // name of the Repository object
	Package    string // path of the package in the repository's directory
	Path       string // path of the package in the repository
	Workspace  string
	Revision   int // 0 draft or proposal, N≥1 published, Placeholder
	Latest     bool
	Lifecycle  porch.Lifecycle

	Ref    string       // in full: the branch or tag that makes it a revision
	Target gitrepo.Hash // what Ref holds: an annotated tag, or Commit
	Commit gitrepo.Hash
	// Digest is that of the artifact in a registry, which has no commit; "" in Git, and for a tag that was not resolved yet.
	Digest string
	// Approved is the commit of the draft that was approved as this published revision; zero where its commit does not say so.
	Approved gitrepo.Hash

	Task  *porch.Task // that created it; nil when its commits do not name it
	Owner Owner
	// Trailers are those of the newest commit that names Owner.
	Trailers Trailers
	// Foreign means that the draft holds a commit that does not name Owner: another user or
	// controller changed it. What was there when Owner adopted it does not count.
	Foreign bool
	// Adopted says that others made it before Owner took it over.
	Adopted bool
	// Labels and Annotations were given to it by an adoption that did not change its files.
	Labels, Annotations map[string]string
	// Adoptions is the commit of the branch that records adoptions of the package.
	Adoptions   gitrepo.Hash
	PublishedBy string // email; empty for drafts and proposals
	PublishedAt time.Time
}

// ID is the commit or, in a registry, the digest of the artifact.
func (r Revision) ID() string {
	if r.Commit.IsZero() {
		return r.Digest
	}
	return r.Commit.String()
}

// ObjectName composes the name of the PackageRevision object.
func ObjectName(repository, pkg, workspace string) string {
	return repository + "." + strings.ReplaceAll(pkg, "/", ".") + "." + workspace
}

// RefusedError says which rule a request violates. Nothing was changed.
type RefusedError struct {
	Op        string // for example "create draft" or "approve"
	Package   string
	Workspace string
	Exists    bool // there is such a package or workspace already
	Reason    string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s of package %q, workspace %q: %s", e.Op, e.Package, e.Workspace, e.Reason)
}

func (r Revision) refuse(op, format string, args ...any) error {
	return &RefusedError{Op: op, Package: r.Package, Workspace: r.Workspace, Reason: fmt.Sprintf(format, args...)}
}

// wrap adds the operation to an error. A RefusedError names it already.
func (r Revision) wrap(op string, err error) error {
	if _, named := errors.AsType[*RefusedError](err); named || err == nil {
		return err
	}
	return fmt.Errorf("%s of package %q, workspace %q: %w", op, r.Package, r.Workspace, err)
}

// order compares by package, then number, then workspace and ref.
func order(a, b Revision) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Revision, b.Revision),
		cmp.Compare(a.Workspace, b.Workspace), cmp.Compare(a.Ref, b.Ref))
}

// SortAndMark sorts as List does, and marks the latest published revision of every package.
func SortAndMark(revs []Revision) []Revision {
	slices.SortFunc(revs, order)
	latest := map[string]int{}
	for i, r := range revs {
		revs[i].Latest = false
		if r.Lifecycle.IsPublished() && r.Revision > 0 {
			latest[r.Package] = i // sorted: the last one is the highest
		}
	}
	for _, i := range latest {
		revs[i].Latest = true
	}
	return revs
}
