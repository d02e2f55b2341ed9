package reconciler

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// maxDrafts bounds how many drafts are made in one push, and how many are in memory before one.
const maxDrafts = 500

// pushAll writes what was prepared: new drafts of one Git repository in pushes of up to maxDrafts, everything else in Git one by
// one, and last what goes to other stores.
func (b *batch) pushAll(ctx context.Context, tasks []*task) {
	var single []*task
	for _, t := range tasks {
		store, batches := t.batcher()
		if !batches {
			single = append(single, t)
			continue
		}
		if !t.onlyCreates() {
			b.finish(ctx, t)
			continue
		}
		q := b.queue(t.state.downstream, store)
		if q.tasks = append(q.tasks, t); len(q.tasks) == maxDrafts {
			b.flush(ctx, q)
		}
	}
	for _, q := range b.queues {
		b.flush(ctx, q)
	}
	b.pushEach(ctx, single)
}

// batcher is the store that new drafts of the task go to, if it makes many in one write. A task without a store is none of another one.
func (t *task) batcher() (store snapshot.Batcher, ok bool) {
	if t.state == nil || t.state.downstream == nil {
		return nil, !t.retiresElsewhere()
	}
	store, ok = t.state.downstream.Store.(snapshot.Batcher)
	return store, ok
}

// retiresElsewhere reports whether the task retires revisions of a store that makes each draft by itself.
func (t *task) retiresElsewhere() bool {
	return t.state != nil && slices.ContainsFunc(t.plan.Retire, func(old variant.Retirement) bool {
		_, batches := t.state.revisions[old.Revision.Name].In.Store.(snapshot.Batcher)
		return !batches
	})
}

// pushEach pushes tasks one by one: the more requests Porch 1.5.3 has at a time, the more often does it read half a repository. Those
// whose state is outdated start over afterwards.
func (b *batch) pushEach(ctx context.Context, tasks []*task) {
	for _, t := range tasks {
		if t.err == nil {
			t.err = t.push(ctx)
		}
	}
	for _, t := range tasks {
		if isOutdated(t.err) && b.refresh(ctx, t) == nil {
			b.finish(ctx, b.restart(ctx, t))
		}
	}
}

// onlyCreates reports whether all there is to write is one new draft.
func (t *task) onlyCreates() bool {
	return t.err == nil && t.outcome.create != nil && !t.plan.Restore && len(t.plan.Retire) == 0 && len(t.adopted()) == 0
}

// flush pushes the drafts of a queue. Tasks whose state is outdated start over after the rest.
func (b *batch) flush(ctx context.Context, q *queue) {
	outdated := q.push(ctx, q.tasks, q.store.CreateDrafts)
	slices.SortFunc(outdated, func(s, t *task) int { return s.index - t.index })
	for _, t := range outdated {
		b.forget(t.pv.Namespace, t.pv.Spec.Downstream.Repo)
		b.finish(ctx, b.restart(ctx, t))
	}
	q.tasks = nil
}
