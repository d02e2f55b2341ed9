package snapshot

import (
	"fmt"
	"maps"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Revision is a revision and the repository that shows it.
type Revision struct {
	revision.Revision
	In *Repository
}

// Revisions lists the revisions of one package. The one that choose returns has the labels and annotations of its Kptfile: in a
// registry, each Kptfile must be pulled.
func (r *Repository) Revisions(pkg string, choose func([]variant.Described) *variant.Described) ([]variant.Described, error) {
	s, err := Read(r)
	if err != nil {
		return nil, err
	}
	revs := s.OfPackage(pkg)
	out := make([]variant.Described, len(revs))
	for i, rev := range revs {
		out[i].Revision = rev.State()
	}
	chosen := choose(out)
	for i, rev := range revs {
		if d := &out[i]; d == chosen {
			if k, err := rev.kptfile(); err == nil { // an unreadable revision is reported by what names it
				d.Labels, d.Annotations = merged(k.Spec.Labels, rev.Labels), merged(k.Spec.Annotations, rev.Annotations)
			}
		}
	}
	return out, nil
}

// merged are the values of both, and those of over where both have some.
func merged(m, over map[string]string) map[string]string {
	if len(over) == 0 {
		return m
	}
	out := map[string]string{}
	maps.Copy(out, m)
	maps.Copy(out, over)
	return out
}

// State is the revision as far as decisions need it.
func (r Revision) State() variant.Revision {
	approved := ""
	if !r.Approved.IsZero() {
		approved = r.Approved.String()
	}
	return variant.Revision{
		Name: r.Name, Repo: r.Repository, Package: r.Package, Workspace: r.Workspace,
		Number: r.Revision.Revision, Lifecycle: r.Lifecycle, Owner: r.Owner.String(), Foreign: r.Foreign, Adopted: r.Adopted,
		Set:     r.Trailers.Get(revision.TrailerSet),
		Through: r.Trailers.Get(revision.TrailerRepository), Address: r.In.Address,
		Directory: r.In.Directory, MadeIn: r.Trailers.Get(revision.TrailerDirectory),
		Orphaned: r.Trailers.Get(revision.TrailerDeletionPolicy) == string(porchconfig.DeletionOrphan),
		Self:     r.In.lock(r.Revision),
		Approved: approved,
	}
}

// Content reads the files of a revision.
func (r Revision) Content() (pkgtree.Tree, error) { return r.In.Store.Content(r.Revision) }

// UpstreamLock reads the lock in the Kptfile of a revision; nil when it has none.
func (r Revision) UpstreamLock() (*kptfilev1.GitLock, error) {
	k, err := r.kptfile()
	if err != nil || k.Spec.UpstreamLock == nil {
		return nil, err
	}
	return k.Spec.UpstreamLock.Git, nil
}

func (r Revision) kptfile() (*kptfile.File, error) {
	tree, err := r.Content()
	if err != nil {
		return nil, err
	}
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		return nil, fmt.Errorf("%s has no Kptfile", r.Name)
	}
	k, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	return k, nil
}
