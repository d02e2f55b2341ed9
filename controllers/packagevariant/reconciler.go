package packagevariant

import (
	"context"
	"errors"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Repository is an open repository of package revisions.
type Repository struct {
	Store *revision.Store
	// URL is the repository's address as its Repository object has it: what locks record.
	URL string
	// Deployment says that packages here get a package context.
	Deployment bool
}

// Repositories opens repositories by the names of their Repository objects.
type Repositories interface {
	Repository(ctx context.Context, namespace, name string) (*Repository, error)
}

// Reconciler reconciles PackageVariants.
type Reconciler struct {
	Repositories Repositories
	Functions    runner.Factory
	Context      []*krm.Object // objects that may be injected
	DryRun       bool          // everything but the push
}

// attempts bounds how often one reconcile starts over because somebody else moved a ref.
const attempts = 3

// Reconcile does what pv wants now and says what came of it. When somebody else writes to the
// repository meanwhile, it looks again and starts over.
func (r *Reconciler) Reconcile(ctx context.Context, pv *porchconfig.PackageVariant) Report {
	for try := 1; ; try++ {
		rep := r.once(ctx, pv)
		var stale *gitrepo.StaleError
		if !errors.As(rep.Err, &stale) || try == attempts {
			return rep
		}
		if err := r.refresh(ctx, pv); err != nil {
			return rep
		}
	}
}

func (r *Reconciler) once(ctx context.Context, pv *porchconfig.PackageVariant) Report {
	w, err := r.observe(ctx, pv)
	var plan variant.Plan
	var did outcome
	if err == nil {
		plan = variant.Decide(pv, w.World)
		did, err = r.act(ctx, pv, w, plan)
	}
	return report(pv, plan, did, err)
}

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
	if w.upstream, err = r.Repositories.Repository(ctx, pv.Namespace, pv.Spec.Upstream.Repo); err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if w.downstream, err = r.Repositories.Repository(ctx, pv.Namespace, pv.Spec.Downstream.Repo); err != nil {
		return nil, fmt.Errorf("downstream: %w", err)
	}
	if w.Upstream, err = w.list(w.upstream, func(rev revision.Revision) (use, lock bool) {
		return rev.Package == pv.Spec.Upstream.Package, false
	}); err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	w.Downstream, err = w.list(w.downstream, func(rev revision.Revision) (use, lock bool) {
		ours := rev.Package == pv.Spec.Downstream.Package
		return ours || rev.Owner.String() == variant.Owner(pv), ours && (rev.Revision == 0 || rev.Latest)
	})
	if err != nil {
		return nil, fmt.Errorf("downstream: %w", err)
	}
	return w, nil
}

// list reads the revisions of a repository that choose wants, with the locks it wants.
func (w *world) list(repo *Repository, choose func(revision.Revision) (use, lock bool)) ([]variant.Revision, error) {
	revs, err := repo.Store.List()
	if err != nil {
		return nil, err
	}
	var out []variant.Revision
	for _, rev := range revs {
		use, lock := choose(rev)
		if !use {
			continue
		}
		v := variant.Revision{
			Name: rev.Name, Repo: rev.Repository, Package: rev.Package, Workspace: rev.Workspace,
			Number: rev.Revision, Lifecycle: rev.Lifecycle, Owner: rev.Owner.String(), Self: repo.lock(rev),
		}
		if lock {
			if v.Lock, err = upstreamLock(repo.Store, rev); err != nil {
				return nil, err
			}
		}
		w.revisions[rev.Name] = rev
		out = append(out, v)
	}
	return out, nil
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

func (r *Reconciler) refresh(ctx context.Context, pv *porchconfig.PackageVariant) error {
	for _, name := range []string{pv.Spec.Upstream.Repo, pv.Spec.Downstream.Repo} {
		repo, err := r.Repositories.Repository(ctx, pv.Namespace, name)
		if err == nil {
			err = repo.Store.Refresh(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
