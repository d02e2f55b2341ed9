package reconciler

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// draft makes what the revision is to hold that has what is wanted, and writes nothing yet.
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
	return a.create(task, pkgtree.Tree{}, tree), nil
}

func (a *actor) upgradeDraft(ctx context.Context) (outcome, error) {
	target := a.plan.Targets[0]
	rev := a.revisions[target.Name]
	was, err := rev.content()
	if err != nil {
		return outcome{}, err
	}
	from, err := a.base(target)
	if err != nil {
		return outcome{}, err
	}
	to, err := a.source(a.plan.Upstream)
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.upgrade(ctx, from, to, local{was, rev.Foreign})
	if err != nil {
		return outcome{}, err
	}
	task := porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{
		OldUpstream:          porch.PackageRevisionRef{Name: a.plan.OldUpstream.Title()},
		NewUpstream:          porch.PackageRevisionRef{Name: a.plan.Upstream.Name},
		LocalPackageRevision: porch.PackageRevisionRef{Name: target.Name},
		Strategy:             "resource-merge",
	}}
	return a.create(task, was, tree), nil
}

// editDraft makes a draft of a published revision when the variant wants something else in it.
func (a *actor) editDraft(ctx context.Context) (outcome, error) {
	target := a.plan.Targets[0]
	rev := a.revisions[target.Name]
	was, err := rev.content()
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.mutate(was, !rev.Foreign)
	if err != nil {
		return outcome{}, err
	}
	if tree.Equal(was) { // other labels alone make no draft
		return outcome{action: Unchanged, draft: target.Name, content: was}, nil
	}
	if tree, err = variant.SetMetadata(tree, a.pv.Spec.Labels, a.pv.Spec.Annotations); err == nil {
		tree, err = a.render(ctx, tree)
	}
	if err != nil {
		return outcome{}, err
	}
	task := porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: target.Name}}}
	return a.create(task, was, tree), nil
}

// updateDrafts puts what the variant wants into each draft; mostly there is one.
func (a *actor) updateDrafts(ctx context.Context) (outcome, error) {
	did := outcome{action: Unchanged}
	for _, target := range a.plan.Targets {
		one, err := a.updateDraft(ctx, a.revisions[target.Name])
		if err != nil {
			return outcome{}, fmt.Errorf("%s: %w", target.Name, err)
		}
		updates := append(did.updates, one.updates...)
		if did.draft == "" || one.action == Updated {
			did = one
		}
		did.updates = updates
	}
	return did, nil
}

func (a *actor) updateDraft(ctx context.Context, rev found) (outcome, error) {
	was, err := rev.content()
	if err != nil {
		return outcome{}, err
	}
	tree, err := a.mutate(was, !rev.Foreign)
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
	return outcome{
		action: Updated, draft: rev.Name, files: was.Diff(tree), content: tree,
		updates: []draftUpdate{{rev.Revision, revision.Update{Content: tree, Owner: a.owner, Trailers: a.trailers(), Stamp: a.stamp()}}},
	}, nil
}

// create is the draft that the plan names.
func (a *actor) create(task porch.Task, was, tree pkgtree.Tree) outcome {
	pkg := a.pv.Spec.Downstream.Package
	return outcome{
		action: Created, draft: revision.ObjectName(a.pv.Spec.Downstream.Repo, pkg, a.plan.Workspace),
		files: was.Diff(tree), content: tree,
		create: &revision.DraftRequest{
			Replaces: a.replaced(), Package: pkg, Workspace: a.plan.Workspace, Task: task, Content: tree, Owner: a.owner, Trailers: a.trailers(),
			Stamp: a.stamp(),
		},
	}
}

// replaced are the drafts that go when a new one stands.
func (a *actor) replaced() (names []string) {
	for _, old := range a.plan.Retire {
		if old.Action == variant.Delete {
			names = append(names, old.Revision.Name)
		}
	}
	return names
}

// trailers say of the variant what Git has no other place for: its Repository object, as others may show the
// same revision, or another directory later; and what no object says when the variant is gone, its set and its deletion policy.
func (a *actor) trailers() revision.Trailers {
	ts := revision.Trailers{{Key: revision.TrailerRepository, Value: a.pv.Spec.Downstream.Repo}}
	if dir := a.downstream.Directory; dir != "" {
		ts = append(ts, revision.Trailer{Key: revision.TrailerDirectory, Value: dir})
	}
	if set := variant.SetOf(a.pv); set != "" {
		ts = append(ts, revision.Trailer{Key: revision.TrailerSet, Value: set})
	}
	if a.pv.Spec.Orphans() {
		ts = append(ts, revision.Trailer{Key: revision.TrailerDeletionPolicy, Value: string(porchconfig.DeletionOrphan)})
	}
	return ts
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
	tree, err := a.revisions[up.Name].content()
	if err != nil {
		return source{}, fmt.Errorf("upstream %s: %w", up.Name, err)
	}
	return source{name: up.Name, tree: tree, lock: up.Self, from: origin{up.Self.Repo, up.Self.Directory, up.Self.Commit}}, nil
}
