package revision

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// ProposeDeletion asks for the deletion of a published revision. It stays in force.
func (s *Store) ProposeDeletion(ctx context.Context, rev Revision) (Revision, error) {
	const op = "propose deletion"
	if rev.Lifecycle != porch.Published {
		return Revision{}, rev.refuse(op, "it is %s, not %s", rev.Lifecycle, porch.Published)
	}
	err := s.repo.Stage().Push(ctx, []gitrepo.RefUpdate{{Name: rev.deletionRef(), New: rev.Commit}})
	if err != nil {
		return Revision{}, rev.wrap(op, err)
	}
	rev.Lifecycle = porch.DeletionProposed
	return rev, nil
}

// UndoDeletion takes the proposal to delete a revision back.
func (s *Store) UndoDeletion(ctx context.Context, rev Revision) (Revision, error) {
	const op = "undo deletion"
	if rev.Lifecycle != porch.DeletionProposed {
		return Revision{}, rev.refuse(op, "its deletion is not proposed")
	}
	settled, err := s.settle(rev)
	if err != nil {
		return Revision{}, err
	}
	if err := s.repo.Stage().Push(ctx, []gitrepo.RefUpdate{settled}); err != nil {
		return Revision{}, rev.wrap(op, err)
	}
	rev.Lifecycle = porch.Published
	return rev, nil
}

// Delete deletes a revision: of a draft or proposal the branch; of a revision whose deletion is
// proposed the tag, while the main branch keeps the content; of the placeholder the content on the
// main branch, in a commit of its own.
func (s *Store) Delete(ctx context.Context, rev Revision, by Stamp) error {
	const op = "delete"
	switch {
	case rev.Lifecycle == porch.Published:
		return rev.refuse(op, "it is published: propose its deletion first")
	case rev.Lifecycle == porch.DeletionProposed && rev.Ref == s.mainRef():
		return rev.wrap(op, s.retry(ctx, func() error { return s.tryDeleteMain(ctx, rev, by) }))
	}
	updates := []gitrepo.RefUpdate{{Name: rev.Ref, Old: rev.Target}}
	if rev.Lifecycle == porch.DeletionProposed {
		settled, err := s.settle(rev)
		if err != nil {
			return err
		}
		updates = append(updates, settled)
	}
	return rev.wrap(op, s.repo.Stage().Push(ctx, updates))
}

// settle is the end of the proposal to delete rev. A proposal that was taken back meanwhile is an
// error: what it asked for is no longer wanted.
func (s *Store) settle(rev Revision) (gitrepo.RefUpdate, error) {
	ref, ok := s.repo.Ref(rev.deletionRef())
	if !ok {
		return gitrepo.RefUpdate{}, rev.refuse("settle deletion", "it is no longer proposed")
	}
	return gitrepo.RefUpdate{Name: ref.Name, Old: ref.Target}, nil
}

func (s *Store) tryDeleteMain(ctx context.Context, rev Revision, by Stamp) error {
	settled, err := s.settle(rev)
	if err != nil {
		return err
	}
	head, stage := s.head(), s.repo.Stage()
	root, err := stage.Root(head)
	if err != nil {
		return err
	}
	if root, err = stage.GraftDir(root, rev.Path, gitrepo.Hash{}); err != nil {
		return err
	}
	id, err := s.commit(stage, root, "Delete "+rev.Path+"\n", by, head)
	if err != nil {
		return err
	}
	return stage.Push(ctx, []gitrepo.RefUpdate{{Name: s.mainRef(), Old: head, New: id}, settled})
}
