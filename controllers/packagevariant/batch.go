package packagevariant

import (
	"context"
	"errors"
	"slices"

	"github.com/waybill-dev/waybill/pkg/revision"
)

// largestBatch bounds how many drafts go out in one push.
const largestBatch = 100

// pushAll writes what was prepared: new drafts of one repository in pushes of up to largestBatch,
// everything else in turn.
func (p *pass) pushAll(ctx context.Context, tries []*try) []Report {
	reports := make([]Report, len(tries))
	batches := map[*Repository]*batch{}
	var order []*batch // as repositories come up: a map has no order
	for i, t := range tries {
		if !t.onlyCreates() {
			reports[i] = p.finish(ctx, t)
			continue
		}
		repo := t.actor.downstream
		b := batches[repo]
		if b == nil {
			b = &batch{pass: p, store: repo.Store, reports: reports}
			batches[repo], order = b, append(order, b)
		}
		if b.waiting = append(b.waiting, waiting{t, i}); len(b.waiting) == largestBatch {
			b.flush(ctx)
		}
	}
	for _, b := range order {
		b.flush(ctx)
	}
	return reports
}

// onlyCreates reports whether all there is to write is one new draft.
func (t *try) onlyCreates() bool {
	return t.err == nil && t.did.create != nil && !t.plan.Restore && len(t.plan.Retire) == 0
}

// waiting is a try that waits for a push, and its place among the reports.
type waiting struct {
	*try
	place int
}

// batch is what waits for a push to one repository.
type batch struct {
	pass    *pass
	store   *revision.Store
	reports []Report
	waiting []waiting
}

// flush pushes the drafts and reports on them. One that the repository's rules refuse leaves the
// batch, other trouble dissolves it: what has left is reconciled alone, after the rest.
func (b *batch) flush(ctx context.Context) {
	var alone []waiting
	for len(b.waiting) > 0 {
		_, err := b.store.CreateDrafts(ctx, b.requests())
		if err == nil {
			break
		}
		i := b.refused(err)
		if i < 0 {
			alone, b.waiting = append(alone, b.waiting...), nil
			break
		}
		alone = append(alone, b.waiting[i])
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	for _, w := range b.waiting {
		b.reports[w.place] = w.report()
	}
	slices.SortFunc(alone, func(v, w waiting) int { return v.place - w.place })
	for _, w := range alone {
		b.reports[w.place] = b.pass.alone(ctx, w.try)
	}
	b.waiting = nil
}

func (b *batch) requests() (out []revision.DraftRequest) {
	for _, w := range b.waiting {
		out = append(out, *w.did.create)
	}
	return out
}

// refused is the place of the draft that err refuses, -1 when it refuses none. Where two want to be
// the same draft it is the later one: the first has come first.
func (b *batch) refused(err error) int {
	var refused *revision.RefusedError
	if !errors.As(err, &refused) {
		return -1
	}
	for i, w := range slices.Backward(b.waiting) {
		if w.did.create.Package == refused.Package && w.did.create.Workspace == refused.Workspace {
			return i
		}
	}
	return -1
}
