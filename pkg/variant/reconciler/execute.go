package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// maxAttempts bounds how often one task starts over because another client moved a ref.
const maxAttempts = 3

// finish pushes what was prepared. When another client wrote to the repository meanwhile, it reads the repository
// again and starts over.
func (b *batch) finish(ctx context.Context, t *task) {
	for n := 1; ; n++ {
		if t.err == nil {
			t.err = t.push(ctx)
		}
		if !isOutdated(t.err) || n == maxAttempts || b.refresh(ctx, t) != nil {
			return
		}
		t = b.restart(ctx, t)
	}
}

// isOutdated reports whether the push may succeed once the repository was read again: another
// client was faster, or it is not known whether the push arrived.
func isOutdated(err error) bool {
	var stale *gitrepo.StaleError
	var refused *revision.RefusedError
	var lost *gitrepo.UnreachableError
	return errors.As(err, &stale) || errors.As(err, &refused) && refused.Exists || errors.As(err, &lost) && lost.Sent
}

// refresh fetches the repositories that the variant names, and those of revisions that it was to retire.
func (b *batch) refresh(ctx context.Context, t *task) error {
	var names []string
	if up := t.pv.Spec.Upstream; up != nil {
		names = append(names, up.Repo)
	}
	if down := t.pv.Spec.Downstream; down != nil {
		names = append(names, down.Repo)
	}
	for _, old := range t.plan.Retire {
		names = append(names, old.Revision.Repo)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		repo, err := b.open(ctx, t.pv.Namespace, name)
		if err == nil {
			err = repo.Store.Refresh(ctx)
		}
		if err != nil {
			return err
		}
		b.forget(t.pv.Namespace, name)
	}
	return nil
}

// push writes what was prepared. Each push is safe to repeat. What is no longer wanted is retired last,
// after its successor was made.
func (t *task) push(ctx context.Context) error {
	if err := t.restore(ctx); err != nil {
		return err
	}
	if err := t.adopt(ctx); err != nil {
		return err
	}
	if t.outcome.create != nil {
		if _, err := t.state.downstream.Store.CreateDraft(ctx, *t.outcome.create); err != nil {
			return err
		}
	}
	for _, u := range t.outcome.updates {
		if _, err := t.state.downstream.Store.UpdateDraft(ctx, u.rev, u.to); err != nil {
			return err
		}
	}
	if err := t.retire(ctx); err != nil {
		return err
	}
	if err := t.disown(ctx); err != nil {
		return err
	}
	if t.outcome.action == Unchanged && len(t.outcome.notes) > 0 {
		t.outcome.action = Updated
	}
	return nil
}

// restore undoes a proposed deletion of a revision that is wanted after all.
func (t *task) restore(ctx context.Context) error {
	if !t.plan.Restore {
		return nil
	}
	target := t.plan.Targets[0].Name
	rev, err := t.state.downstream.Store.UndoDeletion(ctx, t.state.revisions[target].Revision)
	if err != nil {
		return fmt.Errorf("undo the proposed deletion of %s: %w", target, err)
	}
	t.state.revisions[target] = snapshot.Revision{Revision: rev, In: t.state.downstream}
	t.note(target + " is no longer proposed for deletion")
	return nil
}

// retire deletes revisions that are no longer wanted, or proposes that. What is orphaned stays.
func (t *task) retire(ctx context.Context) error {
	if t.state.missing != "" {
		t.note(fmt.Sprintf("Repository %q does not exist any more: revisions in it stay", t.state.missing))
	}
	for _, old := range t.plan.Retire {
		var err error
		switch rev := t.state.revisions[old.Revision.Name]; old.Action {
		case variant.Delete:
			err = rev.In.Store.Delete(ctx, rev.Revision, revision.Stamp{})
			if t.note(rev.Name + " deleted"); rev.Foreign || rev.Adopted { // others may want to recover what they did
				t.outcome.notes[len(t.outcome.notes)-1] += fmt.Sprintf(", with commits by others up to %s", rev.Commit)
			}
		case variant.ProposeDeletion:
			_, err = rev.In.Store.ProposeDeletion(ctx, rev.Revision)
			t.note(rev.Name + " proposed for deletion")
		}
		if err != nil {
			return fmt.Errorf("retire %s: %w", old.Revision.Name, err)
		}
	}
	return nil
}

func (t *task) note(text string) { t.outcome.notes = append(t.outcome.notes, text) }
