package reconciler

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// makeDraft makes the content of the revision that holds what is wanted. It writes nothing.
func (t *task) makeDraft(ctx context.Context) (outcome, error) {
	switch t.plan.Kind {
	case variant.CreateClone:
		return t.cloneDraft(ctx)
	case variant.UpgradeFromPublished:
		return t.upgradeDraft(ctx)
	case variant.EditFromPublished:
		return t.editDraft(ctx)
	case variant.UpdateDraft:
		return t.updateDrafts(ctx)
	}
	return outcome{action: Unchanged}, nil
}

func (t *task) cloneDraft(ctx context.Context) (outcome, error) {
	up, err := t.source(t.plan.Upstream)
	if err != nil {
		return outcome{}, err
	}
	tree, err := t.builder.Clone(ctx, up)
	if err != nil {
		return outcome{}, err
	}
	return t.create(porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{
		Upstream: porch.UpstreamPackage{UpstreamRef: &porch.PackageRevisionRef{Name: t.plan.Upstream.Name}},
	}}, pkgtree.Tree{}, tree), nil
}

func (t *task) upgradeDraft(ctx context.Context) (outcome, error) {
	target := t.plan.Targets[0]
	rev := t.state.revisions[target.Name]
	was, err := rev.Content()
	if err != nil {
		return outcome{}, err
	}
	from, err := t.base(target)
	if err != nil {
		return outcome{}, err
	}
	to, err := t.source(t.plan.Upstream)
	if err != nil {
		return outcome{}, err
	}
	tree, by, err := t.builder.Upgrade(ctx, from, to, was, rev.Foreign || rev.Adopted)
	if err != nil {
		return outcome{}, err
	}
	return t.create(porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{
		OldUpstream:          porch.PackageRevisionRef{Name: t.plan.OldUpstream.Title()},
		NewUpstream:          porch.PackageRevisionRef{Name: t.plan.Upstream.Name},
		LocalPackageRevision: porch.PackageRevisionRef{Name: target.Name},
		Strategy:             string(by),
	}}, was, tree), nil
}

// editDraft makes a draft of a published revision when the variant wants something else in it. Other labels alone make none.
func (t *task) editDraft(ctx context.Context) (outcome, error) {
	name := t.plan.Targets[0].Name
	was, tree, err := t.mutate(t.state.revisions[name])
	if err != nil || tree.Equal(was) {
		return outcome{action: Unchanged, draft: name, content: was}, err
	}
	if tree, err = t.builder.SetMetadata(tree); err == nil {
		tree, err = t.builder.Edit(ctx, was, tree)
	}
	if err != nil {
		return outcome{}, err
	}
	return t.create(porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: name}}}, was, tree), nil
}

// updateDrafts puts what the variant wants into each draft; mostly there is one.
func (t *task) updateDrafts(ctx context.Context) (outcome, error) {
	all := outcome{action: Unchanged}
	for _, target := range t.plan.Targets {
		one, err := t.updateDraft(ctx, t.state.revisions[target.Name])
		if err != nil {
			return outcome{}, fmt.Errorf("%s: %w", target.Name, err)
		}
		updates := append(all.updates, one.updates...)
		if all.draft == "" || one.action == Updated {
			all = one
		}
		all.updates = updates
	}
	return all, nil
}

func (t *task) updateDraft(ctx context.Context, rev snapshot.Revision) (outcome, error) {
	was, tree, err := t.mutate(rev)
	isDraft := rev.Lifecycle == porch.Draft
	broken := err == nil && isDraft && draft.RenderFailure(was) != "" // it is rendered until it renders
	changed, adopts := broken || !tree.Equal(was), isDraft && t.adopts(rev.Name)
	if err != nil || !changed && !adopts {
		return outcome{action: Unchanged, draft: rev.Name, content: was}, err
	}
	if !isDraft {
		return outcome{}, fmt.Errorf("it is %s and would change; reject or approve it first", rev.Lifecycle)
	}
	if adopts {
		tree, err = t.builder.SetMetadata(tree)
	}
	if err == nil && changed {
		tree, err = t.builder.Edit(ctx, was, tree)
	}
	switch {
	case err != nil:
		return outcome{}, err
	case broken && !adopts && tree.Equal(was):
		return outcome{action: Unchanged, draft: rev.Name, content: was}, nil
	}
	return outcome{
		action: Updated, draft: rev.Name, files: was.Diff(tree), content: tree, updates: []draftUpdate{{
			rev.Revision, revision.Update{Content: tree, Owner: t.owner(), Trailers: t.trailers(), Adopts: adopts, Labels: t.pv.Spec.Labels,
				Annotations: t.pv.Spec.Annotations, Stamp: t.stamp()},
		}},
	}, nil
}

// mutate reads a revision and puts what the variant wants into it.
func (t *task) mutate(rev snapshot.Revision) (was, tree pkgtree.Tree, err error) {
	if was, err = rev.Content(); err == nil {
		tree, err = t.builder.Mutate(was, !rev.Foreign && !rev.Adopted)
	}
	return was, tree, err
}

// create is the draft that the plan names.
func (t *task) create(by porch.Task, was, tree pkgtree.Tree) outcome {
	down := t.pv.Spec.Downstream
	var replaces []string // the drafts that are deleted after it is made
	for _, old := range t.plan.Retire {
		if old.Action == variant.Delete {
			replaces = append(replaces, old.Revision.Name)
		}
	}
	return outcome{
		action: Created, draft: revision.ObjectName(down.Repo, down.Package, t.plan.Workspace), files: was.Diff(tree), content: tree,
		create: &revision.DraftRequest{
			Replaces: replaces, Package: down.Package, Workspace: t.plan.Workspace, Task: by, Content: tree,
			Owner: t.owner(), Trailers: t.trailers(), Stamp: t.stamp(),
			Labels: t.pv.Spec.Labels, Annotations: t.pv.Spec.Annotations,
		},
	}
}
