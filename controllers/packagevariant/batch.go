package packagevariant

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// largestBatch bounds how many drafts go out in one push.
const largestBatch = 500

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

// flush pushes the drafts and reports on them. What does not go through is reconciled alone, after the
// rest.
func (b *batch) flush(ctx context.Context) {
	alone := b.send(ctx, b.waiting)
	slices.SortFunc(alone, func(v, w waiting) int { return v.place - w.place })
	for _, w := range alone {
		b.reports[w.place] = b.pass.alone(ctx, w.try)
	}
	b.waiting = nil
}

// send pushes drafts together, and returns those that cannot go. One that the repository's rules refuse
// leaves the others; when a push is refused, each half goes by itself: so it takes few pushes to find the
// one draft that a server does not want.
func (b *batch) send(ctx context.Context, drafts []waiting) (alone []waiting) {
	if len(drafts) == 0 {
		return nil
	}
	_, err := b.store.CreateDrafts(ctx, requests(drafts))
	i, trouble := refused(err, drafts), sharedTrouble(ctx, err)
	switch {
	case err == nil || trouble != nil:
		for _, w := range drafts {
			w.err = trouble
			b.reports[w.place] = w.report()
		}
		return nil
	case i >= 0:
		return append(b.send(ctx, slices.Concat(drafts[:i], drafts[i+1:])), drafts[i])
	case len(drafts) == 1:
		return drafts
	}
	half := len(drafts) / 2
	return append(b.send(ctx, drafts[:half]), b.send(ctx, drafts[half:])...)
}

// sharedTrouble is the trouble in err that is none of a draft's, nil when there is none: it would come again with
// any other draft, and nothing was pushed.
func sharedTrouble(ctx context.Context, err error) error {
	var unreachable *gitrepo.UnreachableError
	var auth *gitrepo.AuthError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &auth):
		return fmt.Errorf("create draft: %w", auth)
	case errors.As(err, &unreachable) && !unreachable.Sent:
		return fmt.Errorf("create draft: %w", unreachable)
	}
	return ctx.Err()
}

func requests(drafts []waiting) (out []revision.DraftRequest) {
	for _, w := range drafts {
		out = append(out, *w.did.create)
	}
	return out
}

// refused is the place of the draft that err refuses, -1 when it refuses none. Where two want to be
// the same draft it is the later one: the first has come first.
func refused(err error, drafts []waiting) int {
	var refused *revision.RefusedError
	if !errors.As(err, &refused) {
		return -1
	}
	for i, w := range slices.Backward(drafts) {
		if w.did.create.Package == refused.Package && w.did.create.Workspace == refused.Workspace {
			return i
		}
	}
	return -1
}
