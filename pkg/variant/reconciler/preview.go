package reconciler

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Package is a package of a repository, and its content.
type Package struct {
	Namespace, Repository string // of the Repository object
	Path                  string
	Content               pkgtree.Tree
}

// Preview is what the downstream repositories of variants hold, and would hold.
type Preview struct {
	Reports []Report // of the dry run, in the order of the variants
	// Published is every package of these repositories as it is published; Wanted is the same once all
	// that the variants draft, have drafted and propose to delete is approved. What change budgets refuse
	// counts as approved; of a variant that failed, what is published stays. Both are in order of
	// repository and path.
	Published, Wanted []Package
}

// Preview is ReconcileAll in a dry run, and what would come of it. The Repositories serve no other
// Reconciler after that.
func (r *Reconciler) Preview(ctx context.Context, pvs []*porchconfig.PackageVariant, started func(i int)) (Preview, error) {
	dry := *r
	dry.DryRun = true
	b, reports := dry.run(ctx, pvs, started)
	p := preview{batch: b, published: contents{}, wanted: contents{}}
	for _, repo := range p.repositories(ctx) {
		if err := p.read(ctx, repo); err != nil {
			return Preview{}, err
		}
	}
	p.approve()
	return Preview{Reports: reports, Published: p.published.list(), Wanted: p.wanted.list()}, nil
}

// location names a package.
type location struct {
	repository types.NamespacedName
	path       string
}

type contents map[location]pkgtree.Tree

type preview struct {
	batch             *batch
	published, wanted contents
}

// repositories names the repositories that variants have packages in, or want to.
func (p *preview) repositories(ctx context.Context) (names []types.NamespacedName) {
	add := func(t *task, name string) {
		if key := (types.NamespacedName{Namespace: t.pv.Namespace, Name: name}); !slices.Contains(names, key) {
			names = append(names, key)
		}
	}
	for _, t := range p.batch.tasks {
		if down := t.pv.Spec.Downstream; down != nil {
			if _, err := p.batch.open(ctx, t.pv.Namespace, down.Repo); err == nil { // else the report says why
				add(t, down.Repo)
			}
		}
		if t.builder == nil {
			continue
		}
		for _, rev := range t.state.Downstream {
			if rev.Through == "" || rev.Through == rev.Repo { // others show the same
				add(t, t.state.revisions[rev.Name].Repository)
			}
		}
	}
	return names
}

// read reads what is published in a repository. What one of the variants has proposed to delete is
// not wanted.
func (p *preview) read(ctx context.Context, repo types.NamespacedName) error {
	s, err := p.batch.snapshot(ctx, repo.Namespace, repo.Name)
	if err != nil {
		return err
	}
	owners := map[string]bool{}
	for _, pv := range p.batch.pvs {
		owners[variant.Owner(pv)] = true
	}
	for _, rev := range s.Revisions {
		if !rev.Latest {
			continue
		}
		tree, err := s.Store.Content(rev)
		if err != nil {
			return err
		}
		p.published[location{repo, rev.Package}] = tree
		if rev.Lifecycle != porch.DeletionProposed || !owners[rev.Owner.String()] {
			p.wanted[location{repo, rev.Package}] = tree
		}
	}
	return nil
}

func (t *task) location(repo, pkg string) location {
	return location{types.NamespacedName{Namespace: t.pv.Namespace, Name: repo}, pkg}
}

// approve removes what is published and no longer wanted, and then puts what is drafted in place of what is published.
func (p *preview) approve() {
	approved := slices.DeleteFunc(slices.Clone(p.batch.tasks), func(t *task) bool {
		return t.builder == nil || t.err != nil && !isOverBudget(t.err)
	})
	for _, t := range approved {
		for _, old := range t.plan.Retire {
			if rev := t.state.revisions[old.Revision.Name]; rev.Latest && old.Action != variant.Orphan {
				delete(p.wanted, t.location(rev.Repository, rev.Package))
			}
		}
	}
	for _, t := range approved {
		if t.state.downstream == nil {
			continue
		}
		at := t.location(t.pv.Spec.Downstream.Repo, t.pv.Spec.Downstream.Package)
		switch was, published := p.published[at]; {
		case t.outcome.draft != "":
			p.wanted[at] = t.outcome.content
		case t.plan.Restore && published:
			p.wanted[at] = was
		}
	}
}

// list returns the packages in order.
func (c contents) list() (out []Package) {
	for at, tree := range c {
		out = append(out, Package{at.repository.Namespace, at.repository.Name, at.path, tree})
	}
	slices.SortFunc(out, func(a, b Package) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path))
	})
	return out
}
