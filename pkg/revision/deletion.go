package revision

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// ProposeDeletion proposes to delete a published revision, which stays published until then.
func (s *Store) ProposeDeletion(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpProposeDeletion, rev, Stamp{})
}

// UndoDeletion withdraws the proposal to delete a revision.
func (s *Store) UndoDeletion(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpUndoDeletion, rev, Stamp{})
}

// Delete deletes a revision: the branch of a draft or proposal; the tag of a revision whose deletion is
// proposed, while the main branch keeps the content; the content on the main branch, in a commit of its own, of the
// placeholder. It does not check whether other revisions were made from it: see Dependent.
func (s *Store) Delete(ctx context.Context, rev Revision, by Stamp) error {
	_, err := s.change(ctx, OpDelete, rev, by)
	return err
}

// AdmitDeletion checks a step of a deletion. What a rule forbids is a *RefusedError.
func AdmitDeletion(op Op, rev Revision) error {
	switch {
	case op == OpProposeDeletion && rev.Lifecycle != porch.Published:
		return rev.refuse(string(op), "it is %s, not %s", rev.Lifecycle, porch.Published)
	case op == OpUndoDeletion && rev.Lifecycle != porch.DeletionProposed:
		return rev.refuse(string(op), "its deletion is not proposed")
	case op == OpDelete && rev.Lifecycle == porch.Published:
		return rev.refuse(string(op), "it is published: propose its deletion first")
	}
	return nil
}

func (b *bundle) proposeDeletion(rev Revision) error {
	if err := AdmitDeletion(OpProposeDeletion, rev); err != nil {
		return err
	}
	b.update(place{rev.Ref, rev.Path}, gitrepo.RefUpdate{Name: rev.deletionRef(), New: rev.Commit})
	return nil
}

func (b *bundle) undoDeletion(rev Revision) error {
	if err := AdmitDeletion(OpUndoDeletion, rev); err != nil {
		return err
	}
	undo, err := b.dropProposal(rev)
	if err != nil {
		return err
	}
	b.update(place{rev.Ref, rev.Path}, undo)
	return nil
}

func (b *bundle) delete(rev Revision) error {
	if err := AdmitDeletion(OpDelete, rev); err != nil {
		return err
	}
	if !rev.Lifecycle.IsPublished() {
		b.update(place{}, gitrepo.RefUpdate{Name: rev.Ref, Old: rev.Target})
		return nil
	}
	undo, err := b.dropProposal(rev)
	if err != nil {
		return err
	}
	if rev.Ref == b.store.MainRef() {
		b.update(place{}, undo)
		return b.remove(rev)
	}
	b.update(place{}, gitrepo.RefUpdate{Name: rev.Ref, Old: rev.Target}, undo)
	return nil
}

// dropProposal is the update that deletes the proposal to delete rev. It is an error when the proposal was withdrawn meanwhile:
// then rev must not be deleted.
func (b *bundle) dropProposal(rev Revision) (gitrepo.RefUpdate, error) {
	ref, ok := b.store.repo.Ref(rev.deletionRef())
	if !ok {
		return gitrepo.RefUpdate{}, rev.refuse("deletion", "it is no longer proposed")
	}
	return gitrepo.RefUpdate{Name: ref.Name, Old: ref.Target}, nil
}

// remove stages a commit that deletes a package from the main branch.
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
