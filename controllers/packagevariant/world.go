package packagevariant

import (
	"context"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// world is what a reconcile has seen: repositories, and revisions by name.
type world struct {
	variant.World
	upstream, downstream *Repository
	revisions            map[string]revision.Revision
}

// observe reads, and writes nothing. A variant that is not valid needs no world.
func (r *Reconciler) observe(ctx context.Context, pv *porchconfig.PackageVariant) (*world, error) {
	if pv.Validate() != nil {
		return &world{}, nil
	}
	w := &world{revisions: map[string]revision.Revision{}}
	var err error
	if w.upstream, err = r.open(ctx, pv, pv.Spec.Upstream.Repo); err == nil {
		// All of them: the package that the downstream was made of may not be the one named now.
		w.Upstream, err = w.list(w.upstream, func(revision.Revision) bool { return true })
	}
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if w.downstream, err = r.open(ctx, pv, pv.Spec.Downstream.Repo); err == nil {
		w.Downstream, err = w.list(w.downstream, func(rev revision.Revision) bool {
			return rev.Package == pv.Spec.Downstream.Package || rev.Owner.String() == variant.Owner(pv)
		})
	}
	if err == nil {
		err = w.readLocks(pv)
	}
	if err != nil {
		return nil, fmt.Errorf("downstream: %w", err)
	}
	return w, nil
}

// open opens a repository of the variant's namespace; in a dry run nothing leaves this process.
func (r *Reconciler) open(ctx context.Context, pv *porchconfig.PackageVariant, name string) (*Repository, error) {
	repo, err := r.Repositories.Repository(ctx, pv.Namespace, name)
	if err == nil && r.DryRun {
		repo.Store.Rehearse()
	}
	return repo, err
}

// list reads the revisions of a repository that use wants.
func (w *world) list(repo *Repository, use func(revision.Revision) bool) ([]variant.Revision, error) {
	revs, err := repo.Store.List()
	if err != nil {
		return nil, err
	}
	var out []variant.Revision
	for _, rev := range revs {
		if !use(rev) {
			continue
		}
		w.revisions[rev.Name] = rev
		out = append(out, variant.Revision{
			Name: rev.Name, Repo: rev.Repository, Package: rev.Package, Workspace: rev.Workspace,
			Number: rev.Revision, Lifecycle: rev.Lifecycle, Owner: rev.Owner.String(), Self: repo.lock(rev),
		})
	}
	return out, nil
}

// readLocks reads where the revisions that may be worked on were cloned from: open drafts and, of
// what the variant published or would adopt, the newest.
func (w *world) readLocks(pv *porchconfig.PackageVariant) (err error) {
	var newest *variant.Revision
	for i := range w.Downstream {
		rev := &w.Downstream[i]
		switch {
		case rev.Package != pv.Spec.Downstream.Package || rev.Owner != variant.Owner(pv) && (rev.Owner != "" || !pv.Spec.Adopts()):
		case rev.Number > 0 && (newest == nil || rev.Number > newest.Number):
			newest = rev
		case rev.Number == 0:
			if err = w.readLock(rev); err != nil {
				return err
			}
		}
	}
	if newest != nil {
		err = w.readLock(newest)
	}
	return err
}

func (w *world) readLock(rev *variant.Revision) (err error) {
	rev.Lock, err = upstreamLock(w.downstream.Store, w.revisions[rev.Name])
	return err
}

// lock is where rev is, at the address that the Repository object gives.
func (r *Repository) lock(rev revision.Revision) kptfilev1.GitLock {
	l := r.Store.Lock(rev)
	return kptfilev1.GitLock{Repo: r.URL, Directory: l.Directory, Ref: l.Ref, Commit: l.Commit}
}

// upstreamLock reads the lock in the Kptfile of rev, nil when it has none.
func upstreamLock(store *revision.Store, rev revision.Revision) (*kptfilev1.GitLock, error) {
	tree, err := store.Content(rev)
	if err != nil {
		return nil, err
	}
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		return nil, fmt.Errorf("%s has no Kptfile", rev.Name)
	}
	k, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rev.Name, err)
	}
	if k.Spec.UpstreamLock == nil {
		return nil, nil
	}
	return k.Spec.UpstreamLock.Git, nil
}
