package reconciler

import (
	"cmp"
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Package is a package of a repository, and what it holds.
type Package struct {
	Namespace, Repository string // of the Repository object
	Path                  string
	Content               pkgtree.Tree
}

// Foresight is what the downstream repositories of variants hold, and would hold.
type Foresight struct {
	Reports []Report // of the dry run, in the order of the variants
	// Published is every package of these repositories as it is published; Wanted is the same once all
	// that the variants draft, have drafted and propose to delete is approved. What change budgets refuse
	// counts as approved; of a variant that failed, what is published stays. Both are in order of
	// repository and path.
	Published, Wanted []Package
}

// Foresee is ReconcileAll in a dry run, and what would come of it. The Repositories serve no other
// Reconciler after that.
func (r *Reconciler) Foresee(ctx context.Context, pvs []*porchconfig.PackageVariant, turn func(i int)) (Foresight, error) {
	dry := *r
	dry.DryRun = true
	p, reports := dry.run(ctx, pvs, turn)
	f := foreseen{pass: p, published: contents{}, wanted: contents{}}
	for _, repo := range f.repositories(ctx) {
		if err := f.read(repo, pvs); err != nil {
			return Foresight{}, err
		}
	}
	f.retire()
	f.draft()
	return Foresight{Reports: reports, Published: f.list(f.published), Wanted: f.list(f.wanted)}, nil
}

// at names a package.
type at struct {
	repo *Repository
	path string
}

type contents map[at]pkgtree.Tree

type foreseen struct {
	*pass
	published, wanted contents
}

// repositories are those that variants have packages in, or want to.
func (f *foreseen) repositories(ctx context.Context) (repos []*Repository) {
	add := func(repo *Repository) {
		if repo != nil && !slices.Contains(repos, repo) {
			repos = append(repos, repo)
		}
	}
	for _, t := range f.counted {
		if down := t.pv.Spec.Downstream; down != nil {
			repo, _ := f.open(ctx, t.pv.Namespace, down.Repo) // the report says why there is none
			add(repo)
		}
		if t.actor != nil {
			for _, rev := range t.actor.Downstream {
				if rev.Through == "" || rev.Through == rev.Repo { // others show the same
					add(t.actor.revisions[rev.Name].repo)
				}
			}
		}
	}
	return repos
}

// read reads what is published in a repository. What one of the variants has proposed to delete is
// not wanted.
func (f *foreseen) read(repo *Repository, pvs []*porchconfig.PackageVariant) error {
	l, err := f.look(repo)
	if err != nil {
		return err
	}
	owners := map[string]bool{}
	for _, pv := range pvs {
		owners[variant.Owner(pv)] = true
	}
	for _, rev := range l.revisions {
		if !rev.Latest {
			continue
		}
		tree, err := repo.Store.Content(rev)
		if err != nil {
			return err
		}
		f.published[at{repo, rev.Package}] = tree
		if rev.Lifecycle != porch.DeletionProposed || !owners[rev.Owner.String()] {
			f.wanted[at{repo, rev.Package}] = tree
		}
	}
	return nil
}

// counts reports whether what a try wants is to be taken for approved.
func (t *try) counts() bool { return t.actor != nil && (t.err == nil || overBudget(t.err)) }

// retire takes away what is published and no longer wanted.
func (f *foreseen) retire() {
	for _, t := range f.counted {
		if !t.counts() {
			continue
		}
		for _, old := range t.plan.Retire {
			rev := t.actor.revisions[old.Revision.Name]
			if rev.Latest && (old.Action == variant.ProposeDeletion || old.Action == variant.Delete) {
				delete(f.wanted, at{rev.repo, rev.Package})
			}
		}
	}
}

// draft puts what is drafted in place of what is published.
func (f *foreseen) draft() {
	for _, t := range f.counted {
		if !t.counts() || t.actor.downstream == nil {
			continue
		}
		here := at{t.actor.downstream, t.pv.Spec.Downstream.Package}
		switch was, published := f.published[here]; {
		case t.did.draft != "":
			f.wanted[here] = t.did.content
		case t.plan.Restore && published:
			f.wanted[here] = was
		}
	}
}

// list is contents in order.
func (f *foreseen) list(c contents) (out []Package) {
	names := map[*Repository]name{}
	for n, o := range f.opened {
		if o.err == nil {
			names[o.repo] = n
		}
	}
	for where, tree := range c {
		n := names[where.repo]
		out = append(out, Package{n.namespace, n.name, where.path, tree})
	}
	slices.SortFunc(out, func(a, b Package) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path))
	})
	return out
}
