package packagevariant

import (
	"context"
	"errors"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
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
	// DryRun does everything in the views of the repositories and pushes nothing. The Repositories
	// serve no other Reconciler then.
	DryRun bool
}

// attempts bounds how often one reconcile starts over because somebody else moved a ref.
const attempts = 3

// Reconcile does what pv wants now and says what came of it. When somebody else writes to the
// repository meanwhile, it looks again and starts over.
func (r *Reconciler) Reconcile(ctx context.Context, pv *porchconfig.PackageVariant) Report {
	return r.finish(ctx, r.prepare(ctx, pv))
}

// finish pushes what was prepared, and starts over when it was overtaken.
func (r *Reconciler) finish(ctx context.Context, t *try) Report {
	for n := 1; ; n++ {
		t.push(ctx)
		if !overtaken(t.err) || n == attempts || r.refresh(ctx, t.pv) != nil {
			return t.report()
		}
		t = r.prepare(ctx, t.pv)
	}
}

// overtaken reports whether another look at the repository may make good what went wrong: somebody
// else was first, or nobody knows whether a push arrived.
func overtaken(err error) bool {
	var stale *gitrepo.StaleError
	var refused *revision.RefusedError
	var lost *gitrepo.UnreachableError
	return errors.As(err, &stale) || errors.As(err, &refused) && refused.Exists || errors.As(err, &lost) && lost.Sent
}

// try is one try at one variant.
type try struct {
	pv    *porchconfig.PackageVariant
	plan  variant.Plan
	actor *actor
	did   outcome
	err   error
}

// prepare observes, decides, and makes what a draft is to hold. It writes nothing, so that a variant
// that cannot have what it wants leaves every ref as it was.
func (r *Reconciler) prepare(ctx context.Context, pv *porchconfig.PackageVariant) *try {
	t := &try{pv: pv}
	w, err := r.observe(ctx, pv)
	if t.err = err; err != nil {
		return t
	}
	t.plan = variant.Decide(pv, w.World)
	if t.err = t.plan.Err(); t.err == nil {
		t.actor = r.actor(pv, w, t.plan)
		t.did, t.err = t.actor.draft(ctx)
	}
	return t
}

// push writes what was prepared.
func (t *try) push(ctx context.Context) {
	if t.err == nil {
		t.err = t.actor.push(ctx, &t.did)
	}
}

// refresh looks at both repositories anew.
func (r *Reconciler) refresh(ctx context.Context, pv *porchconfig.PackageVariant) error {
	for _, name := range []string{pv.Spec.Upstream.Repo, pv.Spec.Downstream.Repo} {
		repo, err := r.open(ctx, pv, name)
		if err == nil {
			err = repo.Store.Refresh(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
