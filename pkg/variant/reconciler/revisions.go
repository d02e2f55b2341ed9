package reconciler

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Described is a package revision with the labels and annotations of its Kptfile, which stand for
// those of a PackageRevision object.
type Described struct {
	variant.Revision
	Labels, Annotations map[string]string
}

// Revisions lists the revisions of one package.
func (r *Repository) Revisions(pkg string) ([]Described, error) {
	revs, err := r.Store.List()
	if err != nil {
		return nil, err
	}
	var out []Described
	for _, rev := range revs {
		if rev.Package != pkg {
			continue
		}
		f := found{rev, r}
		d := Described{Revision: f.plain()}
		if k, err := f.kptfile(); err == nil { // who names a revision that cannot be read is told then
			d.Labels, d.Annotations = k.Spec.Labels, k.Spec.Annotations
		}
		out = append(out, d)
	}
	return out, nil
}

// plain is the revision as far as decisions go.
func (f found) plain() variant.Revision {
	return variant.Revision{
		Name: f.Name, Repo: f.Repository, Package: f.Package, Workspace: f.Workspace,
		Number: f.Revision.Revision, Lifecycle: f.Lifecycle, Owner: f.Owner.String(), Foreign: f.Foreign,
		Set:     f.Trailers.Get(revision.TrailerSet),
		Through: f.Trailers.Get(revision.TrailerRepository), Address: f.repo.Address,
		Directory: f.repo.Directory, MadeIn: f.Trailers.Get(revision.TrailerDirectory),
		Orphaned: f.Trailers.Get(revision.TrailerDeletionPolicy) == string(porchconfig.DeletionOrphan),
		Self:     f.repo.lock(f.Revision),
	}
}

// kptfile reads the root Kptfile of a revision.
func (f found) kptfile() (*kptfile.File, error) {
	tree, err := f.content()
	if err != nil {
		return nil, err
	}
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		return nil, fmt.Errorf("%s has no Kptfile", f.Name)
	}
	k, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return k, nil
}
