package reconciler

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

// task is one PackageVariant of a batch: what it wants, and what came of it.
type task struct {
	index   int // in the batch
	pv      *porchconfig.PackageVariant
	state   *state
	plan    variant.Plan
	builder *draft.Builder          // nil where the plan does nothing
	kinds   map[injection.Kind]bool // that its injection points asked for
	outcome outcome
	err     error
}

// outcome is what a task is about to write and, after that, what it wrote.
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

// writesDraft reports whether a draft is made or changed.
func (o *outcome) writesDraft() bool { return o.create != nil || len(o.updates) > 0 }

// prepare observes, decides, and makes the content of drafts. It writes nothing, so that a variant
// that cannot have what it wants leaves every ref as it was.
func (b *batch) prepare(ctx context.Context, index int) *task {
	t := &task{index: index, pv: b.pvs[index], kinds: map[injection.Kind]bool{}}
	if t.err = b.Unreadable[types.NamespacedName{Namespace: t.pv.Namespace, Name: t.pv.Name}]; t.err != nil {
		return t
	}
	if t.state, t.err = b.observe(ctx, t.pv); t.err != nil {
		return t
	}
	t.plan = variant.Decide(t.pv, t.state.State)
	if t.err = t.plan.Err(); t.err != nil {
		return t
	}
	t.builder = &draft.Builder{
		Variant: t.pv, Functions: b.Functions, Context: b.lister(ctx, t.pv.Namespace, t.kinds), Cache: &b.drafts,
		Deployment: t.state.downstream != nil && t.state.downstream.Deployment,
	}
	if len(t.plan.Targets) > 0 {
		t.builder.Revision = t.plan.Targets[0].Name
	}
	t.outcome, t.err = t.makeDraft(ctx)
	return t
}

// restart prepares a task again, and holds it against the budgets in place of the earlier one.
func (b *batch) restart(ctx context.Context, old *task) *task {
	t := b.prepare(ctx, old.index)
	b.tasks[t.index] = t
	b.enforceBudgets(ctx, []*task{t})
	return t
}

// owner names the variant as revisions do.
func (t *task) owner() revision.Owner {
	return revision.Owner{Kind: porchconfig.KindPackageVariant, Namespace: t.pv.Namespace, Name: t.pv.Name}
}

// trailers record what Git has no other place for: the Repository object, as others may show the
// same revision, or this one another directory later; and the set and deletion policy, which no object says after the variant was
// deleted.
func (t *task) trailers() revision.Trailers {
	policy := ""
	if t.pv.Spec.Orphans() {
		policy = string(porchconfig.DeletionOrphan)
	}
	return slices.DeleteFunc(revision.Trailers{
		{Key: revision.TrailerRepository, Value: t.pv.Spec.Downstream.Repo},
		{Key: revision.TrailerDirectory, Value: t.state.downstream.Directory},
		{Key: revision.TrailerSet, Value: variant.SetOf(t.pv)},
		{Key: revision.TrailerDeletionPolicy, Value: policy},
	}, func(tr revision.Trailer) bool { return tr.Value == "" })
}

// stamp dates a commit by its newest input, the upstream revision, so that the same inputs give
// the same commit whenever it is made.
func (t *task) stamp() revision.Stamp {
	if t.plan.Upstream == nil {
		return revision.Stamp{}
	}
	return revision.Stamp{When: t.state.revisions[t.plan.Upstream.Name].PublishedAt}
}
