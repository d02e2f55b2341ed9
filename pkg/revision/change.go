package revision

import (
	"context"
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Op is a step in the life cycle of a revision.
type Op string

// The steps, each with the revisions that it applies to. All except Approve and the deletion of a placeholder only
// move refs.
const (
	OpPropose         Op = "propose"          // a draft
	OpReject          Op = "reject"           // a proposal: it becomes a draft again
	OpApprove         Op = "approve"          // a proposal: it becomes a published revision
	OpProposeDeletion Op = "propose deletion" // a published revision
	OpUndoDeletion    Op = "undo deletion"    // a revision whose deletion is proposed
	OpDelete          Op = "delete"           // a draft, a proposal, or a revision whose deletion is proposed
)

// Change is a step to take with a revision from List.
type Change struct {
	Op       Op
	Revision Revision
	// OnLoss, when set, is called with the changes on the main branch that an approval would undo, by path, if there are any. An
	// error from it is that of the change. It is called again when another client moves the main branch. Without it
	// an approval replaces the package as Porch does, whatever changed there.
	OnLoss func([]Loss) error
}

// ChangeAll takes all steps, in their order, in one push, or none of them. It returns the
// revisions as they are afterwards, in that order; the zero Revision stands for one that was deleted. A branch
// or tag that is not where its Revision says is a *gitrepo.StaleError: no commit of another client is lost. Only
// when another client moves the main branch does ChangeAll start again, from the new commit.
func (s *Store) ChangeAll(ctx context.Context, changes []Change, by Stamp) ([]Revision, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	var b *bundle
	err := s.retry(ctx, func() (err error) {
		if b, err = s.bundle(changes, by); err != nil {
			return err
		}
		return b.push(ctx)
	})
	if err != nil {
		return nil, describe(changes, err)
	}
	return b.outcome()
}

// change is ChangeAll with one step.
func (s *Store) change(ctx context.Context, op Op, rev Revision, by Stamp) (Revision, error) {
	revs, err := s.ChangeAll(ctx, []Change{{Op: op, Revision: rev}}, by)
	if err != nil {
		return Revision{}, err
	}
	return revs[0], nil
}

// describe adds the operation to an error that does not name it.
func describe(changes []Change, err error) error {
	if _, named := errors.AsType[*RefusedError](err); named || len(changes) == 1 {
		return changes[0].Revision.wrap(string(changes[0].Op), err)
	}
	return fmt.Errorf("change of %d package revisions: %w", len(changes), err)
}

// bundle is the content of one push.
type bundle struct {
	store *Store
	stage *gitrepo.Stage
	by    Stamp
	base  gitrepo.Hash // the main branch as it is
	head  gitrepo.Hash // the main branch with the commits staged on it

	updates   []gitrepo.RefUpdate  // of other refs
	results   []place              // where the revisions are after the changes
	published *published           // nil until it is needed
	mainline  map[gitrepo.Hash]int // the commits of base, newest first; nil until it is needed
	merged    map[string]Revision  // approvals staged on head, by path
}

// place is where a revision can be found. The zero place stands for a deleted one.
type place struct{ ref, path string }

// bundle stages changes on the view.
func (s *Store) bundle(changes []Change, by Stamp) (*bundle, error) {
	head := s.head()
	b := &bundle{store: s, stage: s.repo.Stage(), by: by, base: head, head: head, merged: map[string]Revision{}}
	for _, c := range changes {
		if err := b.add(c); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *bundle) add(c Change) error {
	switch op, rev := c.Op, c.Revision; op {
	case OpPropose:
		return b.move(op, rev, porch.Draft, draftPrefix, proposedPrefix)
	case OpReject:
		return b.move(op, rev, porch.Proposed, proposedPrefix, draftPrefix)
	case OpApprove:
		return b.approve(rev, c.OnLoss)
	case OpProposeDeletion:
		return b.proposeDeletion(rev)
	case OpUndoDeletion:
		return b.undoDeletion(rev)
	case OpDelete:
		return b.delete(rev)
	}
	return c.Revision.refuse(string(c.Op), "there is no such step")
}

// update adds ref updates, and the place of the revision afterwards.
func (b *bundle) update(left place, updates ...gitrepo.RefUpdate) {
	b.updates = append(b.updates, updates...)
	b.results = append(b.results, left)
}

func (b *bundle) push(ctx context.Context) error {
	updates := b.updates
	if b.head != b.base {
		updates = append(updates, gitrepo.RefUpdate{Name: b.store.MainRef(), Old: b.base, New: b.head})
	}
	return b.stage.Push(ctx, updates)
}

// outcome reads the revisions after the push.
func (b *bundle) outcome() ([]Revision, error) {
	revs, err := b.store.List()
	if err != nil {
		return nil, err
	}
	at := make(map[place]Revision, len(revs))
	for _, rev := range revs {
		at[place{rev.Ref, rev.Path}] = rev
	}
	out := make([]Revision, len(b.results))
	for i, left := range b.results {
		out[i] = at[left]
	}
	return out, nil
}
