package revision

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// ProposeDeletion asks for the deletion of a published revision. It stays in force.
func (s *Store) ProposeDeletion(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpProposeDeletion, rev, Stamp{})
}

// UndoDeletion takes the proposal to delete a revision back.
func (s *Store) UndoDeletion(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpUndoDeletion, rev, Stamp{})
}

// Delete deletes a revision: of a draft or proposal the branch; of a revision whose deletion is
// proposed the tag, while the main branch keeps the content; of the placeholder the content on the
// main branch, in a commit of its own. Whether others were made from it is not asked: see Dependent.
func (s *Store) Delete(ctx context.Context, rev Revision, by Stamp) error {
	_, err := s.change(ctx, OpDelete, rev, by)
	return err
}

func (b *bundle) proposeDeletion(rev Revision) error {
	if rev.Lifecycle != porch.Published {
		return rev.refuse(string(OpProposeDeletion), "it is %s, not %s", rev.Lifecycle, porch.Published)
	}
	b.update(place{rev.Ref, rev.Path}, gitrepo.RefUpdate{Name: rev.deletionRef(), New: rev.Commit})
	return nil
}

func (b *bundle) undoDeletion(rev Revision) error {
	if rev.Lifecycle != porch.DeletionProposed {
		return rev.refuse(string(OpUndoDeletion), "its deletion is not proposed")
	}
	settled, err := b.settle(rev)
	if err != nil {
		return err
	}
	b.update(place{rev.Ref, rev.Path}, settled)
	return nil
}

func (b *bundle) delete(rev Revision) error {
	switch rev.Lifecycle {
	case porch.Draft, porch.Proposed:
		b.update(place{}, gitrepo.RefUpdate{Name: rev.Ref, Old: rev.Target})
		return nil
	case porch.Published:
		return rev.refuse(string(OpDelete), "it is published: propose its deletion first")
	}
	settled, err := b.settle(rev)
	if err != nil {
		return err
	}
	if rev.Ref == b.store.mainRef() {
		b.update(place{}, settled)
		return b.remove(rev)
	}
	b.update(place{}, gitrepo.RefUpdate{Name: rev.Ref, Old: rev.Target}, settled)
	return nil
}

// settle is the end of the proposal to delete rev. A proposal that was taken back meanwhile is an
// error: what it asked for is no longer wanted.
func (b *bundle) settle(rev Revision) (gitrepo.RefUpdate, error) {
	ref, ok := b.store.repo.Ref(rev.deletionRef())
	if !ok {
		return gitrepo.RefUpdate{}, rev.refuse("settle deletion", "it is no longer proposed")
	}
	return gitrepo.RefUpdate{Name: ref.Name, Old: ref.Target}, nil
}

// remove stages a commit that takes a package off the main branch.
func (b *bundle) remove(rev Revision) error {
	root, err := b.stage.Root(b.head)
	if err != nil {
		return err
	}
	if root, err = b.stage.GraftDir(root, rev.Path, gitrepo.Hash{}); err != nil {
		return err
	}
	b.head, err = b.store.commit(b.stage, root, "Delete "+rev.Path+"\n", b.by, b.head)
	return err
}
