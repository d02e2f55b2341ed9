package porchstore

import (
	"crypto/sha1"
	"encoding/hex"
	"path"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Annotations of PackageRevisions that Waybill makes.
const (
	// TrailersAnnotation says for whom the revision was made, in the lines that commits of drafts in Git have.
	TrailersAnnotation = "waybill.dev/revision-trailers"
	// ContentAnnotation is a digest of the content that Waybill last wrote. Content with another digest was changed by others.
	ContentAnnotation = "waybill.dev/revision-content"
)

// revisionOf is what a PackageRevision means, without what its files tell.
func (s *Store) revisionOf(o *porch.PackageRevision) revision.Revision {
	rev := revision.Revision{
		Name: o.Name, Repository: s.of.Name, Package: o.Spec.PackageName, Path: path.Join(s.dir, o.Spec.PackageName),
		Workspace: o.Spec.WorkspaceName, Revision: o.Spec.Revision, Lifecycle: o.Spec.Lifecycle,
		Target: target(o.ResourceVersion), Commit: commit(o),
	}
	rev.Ref = rev.RefName(s.branch)
	rev.Owner, rev.Trailers = revision.ParseTrailers(o.Annotations[TrailersAnnotation])
	rev.Adopted = rev.Trailers.Get(revision.TrailerAdopted) != ""
	if ref := ownerReference(o); ref != nil && rev.Owner == (revision.Owner{}) { // made by Porch's own controller
		rev.Owner = revision.Owner{Kind: ref.Kind, Namespace: o.Namespace, Name: ref.Name}
	}
	if len(o.Spec.Tasks) > 0 {
		rev.Task = &o.Spec.Tasks[0]
	}
	if rev.Lifecycle.IsPublished() {
		rev.PublishedBy, rev.PublishedAt = o.Status.PublishedBy, o.Status.PublishedAt.Time
	}
	return rev
}

// target stands for a resourceVersion: another one is another target.
func target(resourceVersion string) gitrepo.Hash {
	sum := sha1.Sum([]byte(resourceVersion))
	id, _ := gitrepo.ParseHash(hex.EncodeToString(sum[:])) // forty hexadecimal digits are one
	return id
}

// commit is the commit of a revision, zero where Porch does not tell it. With its CR cache, the resourceVersion is the commit.
func commit(o *porch.PackageRevision) gitrepo.Hash {
	text := o.ResourceVersion
	if lock := o.Status.SelfLock; lock != nil && lock.Git != nil && lock.Git.Commit != "" {
		text = lock.Git.Commit
	}
	id, err := gitrepo.ParseHash(text)
	if err != nil {
		return gitrepo.Hash{}
	}
	return id
}

func shortRef(name string) string { return gitrepo.Ref{Name: name}.Short() }
