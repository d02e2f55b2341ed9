package reconciler

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// outcome is what a reconcile comes to: first what it is to write, then what it wrote.
type outcome struct {
	action  Action
	draft   string // name of the revision that now holds what is wanted
	files   []string
	content pkgtree.Tree // of that revision
	create  *revision.DraftRequest
	updates []draftUpdate
	notes   []string // what became of other revisions
}

// draftUpdate is a commit to make on an open draft.
type draftUpdate struct {
	rev revision.Revision
	to  revision.Update
}

// actor carries out one plan.
type actor struct {
	*world
	builder
	plan  variant.Plan
	owner revision.Owner
}

func (p *pass) actor(ctx context.Context, t *try, w *world) *actor {
	t.asked = kinds{}
	return &actor{
		world: w, plan: t.plan,
		builder: builder{
			pv: t.pv, functions: p.Functions, context: t.asked.noting(p.lister(ctx, t.pv.Namespace)),
			shared: &p.shared, revision: worked(&t.plan), deployment: w.downstream != nil && w.downstream.Deployment,
		},
		owner: revision.Owner{Kind: porchconfig.KindPackageVariant, Namespace: t.pv.Namespace, Name: t.pv.Name},
	}
}

// worked names the revision whose content a plan changes; "" when there is none yet.
func worked(plan *variant.Plan) string {
	if len(plan.Targets) == 0 {
		return ""
	}
	return plan.Targets[0].Name
}

// push writes what draft has made. Each push is safe to repeat. What is no longer wanted goes last,
// when its successor stands.
func (a *actor) push(ctx context.Context, did *outcome) error {
	if err := a.restore(ctx, did); err != nil {
		return err
	}
	if did.create != nil {
		if _, err := a.downstream.Store.CreateDraft(ctx, *did.create); err != nil {
			return err
		}
	}
	for _, u := range did.updates {
		if _, err := a.downstream.Store.UpdateDraft(ctx, u.rev, u.to); err != nil {
			return err
		}
	}
	if err := a.retire(ctx, did); err != nil {
		return err
	}
	if did.action == Unchanged && len(did.notes) > 0 {
		did.action = Updated
	}
	return nil
}

// restore undoes a proposed deletion of a revision that is wanted after all.
func (a *actor) restore(ctx context.Context, did *outcome) error {
	if !a.plan.Restore {
		return nil
	}
	target := a.plan.Targets[0].Name
	rev, err := a.downstream.Store.UndoDeletion(ctx, a.revisions[target].Revision)
	if err != nil {
		return fmt.Errorf("undo the proposed deletion of %s: %w", target, err)
	}
	a.revisions[target] = found{rev, a.downstream}
	did.notes = append(did.notes, target+" is no longer proposed for deletion")
	return nil
}

// recoverable says of a revision that is deleted where to find what others did to it.
func recoverable(rev revision.Revision) string {
	if !rev.Foreign {
		return ""
	}
	return fmt.Sprintf(", with commits by others up to %s", rev.Commit)
}

// retire does away with revisions that are no longer wanted. What is orphaned stays as it is: Git
// has no owner to take away.
func (a *actor) retire(ctx context.Context, did *outcome) error {
	if a.gone != "" {
		did.notes = append(did.notes, fmt.Sprintf("there is no Repository %q any more: revisions in it stay", a.gone))
	}
	for _, old := range a.plan.Retire {
		var err error
		switch rev := a.revisions[old.Revision.Name]; old.Action {
		case variant.Delete:
			err = rev.repo.Store.Delete(ctx, rev.Revision, revision.Stamp{})
			did.notes = append(did.notes, rev.Name+" deleted"+recoverable(rev.Revision))
		case variant.ProposeDeletion:
			_, err = rev.repo.Store.ProposeDeletion(ctx, rev.Revision)
			did.notes = append(did.notes, rev.Name+" proposed for deletion")
		}
		if err != nil {
			return fmt.Errorf("retire %s: %w", old.Revision.Name, err)
		}
	}
	return nil
}
