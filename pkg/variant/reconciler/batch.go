package reconciler

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
	refusals
}

// flush pushes the drafts and reports on them. What was overtaken is reconciled alone, after the rest.
func (b *batch) flush(ctx context.Context) {
	alone := b.send(ctx, b.waiting, b.store.CreateDrafts)
	slices.SortFunc(alone, func(v, w waiting) int { return v.place - w.place })
	for _, w := range alone {
		b.reports[w.place] = b.pass.alone(ctx, w.try)
	}
	b.waiting = nil
}

// create makes drafts in one push, or none.
type create func(context.Context, []revision.DraftRequest) ([]revision.Revision, error)

// send pushes drafts together, and returns those that are to look again. One that the repository's rules
// refuse leaves the others; when a push is refused, each half goes by itself, and once: so it takes few
// pushes to find the one draft that a server does not want.
func (b *batch) send(ctx context.Context, drafts []waiting, push create) (alone []waiting) {
	if len(drafts) == 0 {
		return nil
	}
	err := b.refusals.closed()
	if err == nil {
		_, err = push(ctx, requests(drafts))
	}
	i, trouble := refused(err, drafts), sharedTrouble(ctx, err)
	switch {
	case err == nil || trouble != nil:
		b.refusals.taken = b.refusals.taken || err == nil
		b.report(drafts, trouble)
		return nil
	case i >= 0:
		return append(b.send(ctx, slices.Concat(drafts[:i], drafts[i+1:]), push), drafts[i])
	case len(drafts) == 1 && b.refusals.note(err):
		b.report(drafts, err)
		return nil
	case len(drafts) == 1:
		return drafts
	}
	half := len(drafts) / 2
	return append(b.send(ctx, drafts[:half], b.store.CreateDraftsOnce), b.send(ctx, drafts[half:], b.store.CreateDraftsOnce)...)
}

// report reports on drafts that are pushed, or cannot be.
func (b *batch) report(drafts []waiting, err error) {
	for _, w := range drafts {
		w.err = err
		b.reports[w.place] = w.report()
	}
}

// sharedTrouble is the trouble in err that is none of a draft's, nil when there is none: it would come again with
// any other draft, and nothing was pushed.
func sharedTrouble(ctx context.Context, err error) error {
	var unreachable *gitrepo.UnreachableError
	var auth *gitrepo.AuthError
	var shut *closedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &shut):
		return err
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
