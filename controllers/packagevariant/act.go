package packagevariant

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// outcome is what act did, or would do in a dry run.
type outcome struct {
	action  Action
	draft   string // name of the revision that now holds what is wanted
	files   []string
	content pkgtree.Tree // of that revision
}

// actor carries out one plan.
type actor struct {
	*world
	builder
	r     *Reconciler
	plan  variant.Plan
	owner revision.Owner
}

// act carries out a plan: each step is one push, safe to repeat.
func (r *Reconciler) act(ctx context.Context, pv *porchconfig.PackageVariant, w *world, plan variant.Plan) (outcome, error) {
	if err := plan.Err(); err != nil {
		return outcome{action: failedAs(plan.Kind)}, err
	}
	a := &actor{
		world: w, r: r, plan: plan,
		builder: builder{pv: pv, functions: r.Functions, context: r.Context, deployment: w.downstream.Deployment},
		owner:   revision.Owner{Kind: porchconfig.KindPackageVariant, Namespace: pv.Namespace, Name: pv.Name},
	}
	if err := a.retire(ctx); err != nil {
		return outcome{action: Failed}, err
	}
	did, err := a.draft(ctx)
	if err != nil {
		did.action = Failed
	}
	return did, err
}

func failedAs(k variant.Kind) Action {
	if k == variant.Blocked {
		return Blocked
	}
	return Failed
}

// retire does away with revisions that are no longer wanted, and undoes a proposed deletion of one
// that is wanted after all. What is orphaned stays as it is: Git has no owner to take away.
func (a *actor) retire(ctx context.Context) error {
	if a.r.DryRun {
		return nil
	}
	for _, old := range a.plan.Retire {
		var err error
		switch rev := a.revisions[old.Revision.Name]; old.Action {
		case variant.Delete:
			err = a.downstream.Store.Delete(ctx, rev, revision.Stamp{})
		case variant.ProposeDeletion:
			_, err = a.downstream.Store.ProposeDeletion(ctx, rev)
		}
		if err != nil {
			return fmt.Errorf("retire %s: %w", old.Revision.Name, err)
		}
	}
	if a.plan.Restore {
		target := a.plan.Targets[0].Name
		rev, err := a.downstream.Store.UndoDeletion(ctx, a.revisions[target])
		if err != nil {
			return fmt.Errorf("undo the proposed deletion of %s: %w", target, err)
		}
		a.revisions[target] = rev
	}
	return nil
}

// draft brings about the revision that holds what is wanted.
func (a *actor) draft(ctx context.Context) (outcome, error) {
	switch a.plan.Kind {
	case variant.CreateClone:
		return a.createClone(ctx)
	case variant.UpgradeFromPublished:
		return a.upgradeDraft(ctx)
	case variant.EditFromPublished:
		return a.editDraft(ctx)
	case variant.UpdateDraft:
		return a.updateDrafts(ctx)
	}
	return outcome{action: Unchanged}, nil
}

func (a *actor) createClone(ctx context.Context) (outcome, error) {
	up, err := a.source(a.plan.Upstream)
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.clone(ctx, up)
	if err != nil {
		return outcome{}, err
	}
	task := porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{
		Upstream: porch.UpstreamPackage{UpstreamRef: &porch.PackageRevisionRef{Name: a.plan.Upstream.Name}},
	}}
	return a.create(ctx, task, pkgtree.Tree{}, tree)
}

func (a *actor) upgradeDraft(ctx context.Context) (outcome, error) {
	target := a.plan.Targets[0]
	local, err := a.downstream.Store.Content(a.revisions[target.Name])
	if err != nil {
		return outcome{}, err
	}
	from, err := a.source(a.plan.OldUpstream)
	if err != nil {
		return outcome{}, err
	}
	to, err := a.source(a.plan.Upstream)
	if err != nil {
		return outcome{}, err
	}
	from.lock = *target.Lock // as the package has it, so that its Kptfile does not look edited
	tree, err := a.upgrade(ctx, from, to, local)
	if err != nil {
		return outcome{}, err
	}
	task := porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{
		OldUpstream:          porch.PackageRevisionRef{Name: a.plan.OldUpstream.Name},
		NewUpstream:          porch.PackageRevisionRef{Name: a.plan.Upstream.Name},
		LocalPackageRevision: porch.PackageRevisionRef{Name: target.Name},
		Strategy:             "resource-merge",
	}}
	return a.create(ctx, task, local, tree)
}

// editDraft makes a draft of a published revision when the variant wants something else in it.
func (a *actor) editDraft(ctx context.Context) (outcome, error) {
	target := a.plan.Targets[0]
	was, err := a.downstream.Store.Content(a.revisions[target.Name])
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.mutate(was)
	if err != nil {
		return outcome{}, err
	}
	if tree.Equal(was) {
		return outcome{action: Unchanged, draft: target.Name, content: was}, nil
	}
	if tree, err = a.render(ctx, tree); err != nil {
		return outcome{}, err
	}
	task := porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: target.Name}}}
	return a.create(ctx, task, was, tree)
}

// updateDrafts puts what the variant wants into each draft; mostly there is one.
func (a *actor) updateDrafts(ctx context.Context) (outcome, error) {
	did := outcome{action: Unchanged}
	for _, target := range a.plan.Targets {
		one, err := a.updateDraft(ctx, a.revisions[target.Name])
		if err != nil {
			return outcome{}, fmt.Errorf("%s: %w", target.Name, err)
		}
		if did.draft == "" || one.action == Updated {
			did = one
		}
	}
	return did, nil
}

func (a *actor) updateDraft(ctx context.Context, rev revision.Revision) (outcome, error) {
	was, err := a.downstream.Store.Content(rev)
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.mutate(was)
	if err != nil {
		return outcome{}, err
	}
	if tree.Equal(was) {
		return outcome{action: Unchanged, draft: rev.Name, content: was}, nil
	}
	if rev.Lifecycle != porch.Draft {
		return outcome{}, fmt.Errorf("it is %s and would change; reject or approve it first", rev.Lifecycle)
	}
	if tree, err = a.render(ctx, tree); err != nil {
		return outcome{}, err
	}
	did := outcome{action: Updated, draft: rev.Name, files: was.Diff(tree), content: tree}
	if a.r.DryRun {
		return did, nil
	}
	_, err = a.downstream.Store.UpdateDraft(ctx, rev, revision.Update{Content: tree, Owner: a.owner, Stamp: a.stamp()})
	return did, err
}

// create makes the draft that the plan names, in one push.
func (a *actor) create(ctx context.Context, task porch.Task, was, tree pkgtree.Tree) (outcome, error) {
	pkg := a.pv.Spec.Downstream.Package
	did := outcome{
		action: Created, draft: revision.ObjectName(a.pv.Spec.Downstream.Repo, pkg, a.plan.Workspace),
		files: was.Diff(tree), content: tree,
	}
	if a.r.DryRun {
		return did, nil
	}
	_, err := a.downstream.Store.CreateDraft(ctx, revision.DraftRequest{
		Package: pkg, Workspace: a.plan.Workspace, Task: task, Content: tree, Owner: a.owner, Stamp: a.stamp(),
	})
	return did, err
}

// stamp dates a commit by its newest input, the upstream revision, so that the same inputs give
// the same commit whenever it is made.
func (a *actor) stamp() revision.Stamp {
	if a.plan.Upstream == nil {
		return revision.Stamp{}
	}
	return revision.Stamp{When: a.revisions[a.plan.Upstream.Name].PublishedAt}
}

func (a *actor) source(up *variant.Revision) (source, error) {
	tree, err := a.upstream.Store.Content(a.revisions[up.Name])
	if err != nil {
		return source{}, fmt.Errorf("upstream %s: %w", up.Name, err)
	}
	return source{tree: tree, lock: up.Self}, nil
}
