package reconciler

import (
	"context"
	"errors"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Repository is an open repository of package revisions.
type Repository struct {
	Store *revision.Store
	// URL is the repository's address as its Repository object has it: what locks record.
	URL string
	// Address is where the repository is, the same however objects write its URL: see gitrepo.Address.
	Address string
	// Directory is where in it the packages are, without slashes at its ends; "" for all of it.
	Directory string
	// Deployment says that packages here get a package context.
	Deployment bool
}

// Repositories opens repositories by the names of their Repository objects. It serves many
// goroutines at once.
type Repositories interface {
	// Repository is the open repository of that name. Where there is no such object the error is a
	// *NoRepositoryError.
	Repository(ctx context.Context, namespace, name string) (*Repository, error)
	// Names are the names of all Repository objects of a namespace, sorted.
	Names(ctx context.Context, namespace string) ([]string, error)
}

// NoRepositoryError says that there is no Repository object of that name.
type NoRepositoryError struct{ Namespace, Name string }

func (e *NoRepositoryError) Error() string {
	return "there is no Repository \"" + e.Name + "\" in namespace \"" + e.Namespace + "\""
}

// Reconciler reconciles PackageVariants.
type Reconciler struct {
	Repositories Repositories
	Functions    runner.Factory
	// Context lists the objects of a namespace that may be injected. Its Lister serves many
	// goroutines at once; nil lists none.
	Context func(ctx context.Context, namespace string) injection.Lister
	// Variants gives all PackageVariants of a namespace; nil gives those that are reconciled together, and there may
	// be others.
	Variants func(ctx context.Context, namespace string) ([]*porchconfig.PackageVariant, error)
	// Unexpanded names the PackageVariantSets of a namespace whose variants are not known now; nil names none.
	Unexpanded func(namespace string) []string
	// Budgets gives the change budgets of a namespace; nil gives none.
	Budgets Budgets
	// DeleteEditedDrafts lets deletion policies delete drafts that hold commits by others. Else such a draft is
	// kept, and its variant waits.
	DeleteEditedDrafts bool
	// DryRun does everything in the views of the repositories and pushes nothing. The Repositories
	// serve no other Reconciler then.
	DryRun bool
}

// Reconcile does what pv wants now and says what came of it.
func (r *Reconciler) Reconcile(ctx context.Context, pv *porchconfig.PackageVariant) Report {
	return r.ReconcileAll(ctx, []*porchconfig.PackageVariant{pv}, nil)[0]
}

// attempts bounds how often one reconcile starts over because somebody else moved a ref.
const attempts = 3

// finish pushes what was prepared. When somebody else wrote to the repository meanwhile, it looks
// again and starts over.
func (p *pass) finish(ctx context.Context, t *try) Report {
	for n := 1; ; n++ {
		t.push(ctx)
		if !overtaken(t.err) || n == attempts || p.refresh(ctx, t) != nil {
			return t.report()
		}
		t = p.again(ctx, t)
	}
}

// alone does what a try of a batch was to do, from the start: the batch did not go through.
func (p *pass) alone(ctx context.Context, t *try) Report {
	p.forget(t.actor.downstream)
	return p.finish(ctx, p.again(ctx, t))
}

// overtaken reports whether another look at the repository may make good what went wrong: somebody
// else was first, or nobody knows whether a push arrived.
func overtaken(err error) bool {
	var stale *gitrepo.StaleError
	var refused *revision.RefusedError
	var lost *gitrepo.UnreachableError
	return errors.As(err, &stale) || errors.As(err, &refused) && refused.Exists || errors.As(err, &lost) && lost.Sent
}

// refresh looks anew at the repositories that the variant names, and those of revisions that it was to retire.
func (p *pass) refresh(ctx context.Context, t *try) error {
	for _, name := range t.repositories() {
		repo, err := p.open(ctx, t.pv.Namespace, name)
		if err == nil {
			err = repo.Store.Refresh(ctx)
		}
		if err != nil {
			return err
		}
		p.forget(repo)
	}
	return nil
}

// repositories are the names of those that matter to a try, each once.
func (t *try) repositories() (names []string) {
	if up := t.pv.Spec.Upstream; up != nil {
		names = append(names, up.Repo)
	}
	if down := t.pv.Spec.Downstream; down != nil {
		names = append(names, down.Repo)
	}
	for _, old := range t.plan.Retire {
		names = append(names, old.Revision.Repo)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
