package revision

import (
	"context"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Update is new content for a draft.
type Update struct {
	Content pkgtree.Tree
	Owner   Owner // if it is not the draft's owner, the draft becomes Foreign
	// Trailers replace those of earlier commits.
	Trailers Trailers
	// Adopts says that Owner takes over what others wrote in the draft: then there is a commit in any case.
	Adopts bool
	// Labels and Annotations are for a store that has them beside the content, when the draft is adopted.
	Labels, Annotations map[string]string
	Stamp
}

// UpdateDraft adds a commit with new content to a draft. If the draft has that content already, it
// makes no commit, unless it is adopted.
func (s *Store) UpdateDraft(ctx context.Context, rev Revision, up Update) (Revision, error) {
	const op = "update draft"
	if err := AdmitUpdate(rev, up); err != nil {
		return Revision{}, err
	}
	stage := s.repo.Stage()
	if same, err := s.holds(stage, rev, up.Content); err != nil || same && !up.Adopts {
		return rev, rev.wrap(op, err)
	}
	trailers := up.Trailers
	if up.Adopts {
		trailers = append(slices.Clone(trailers), Trailer{TrailerAdopted, rev.Commit.String()})
	}
	id, err := s.save(stage, rev.Commit, draftSave{
		path: rev.Path, workspace: rev.Workspace, task: porch.Task{Type: porch.TaskRender},
		content: up.Content, owner: up.Owner, trailers: trailers, by: up.Stamp,
	})
	if err == nil {
		err = s.retry(ctx, func() error {
			return stage.Push(ctx, []gitrepo.RefUpdate{{Name: rev.Ref, Old: rev.Target, New: id}})
		})
	}
	if err != nil {
		return Revision{}, rev.wrap(op, err)
	}
	return s.at(rev.Ref)
}

// holds reports whether a revision's package has this content.
func (s *Store) holds(stage *gitrepo.Stage, rev Revision, content pkgtree.Tree) (bool, error) {
	was, err := s.repo.DirID(rev.Commit, rev.Path)
	if err != nil {
		return false, err
	}
	is, err := stage.Put(content, was)
	return was == is, err
}

// Propose proposes a draft for approval.
func (s *Store) Propose(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpPropose, rev, Stamp{})
}

// Reject makes a proposal a draft again.
func (s *Store) Reject(ctx context.Context, rev Revision) (Revision, error) {
	return s.change(ctx, OpReject, rev, Stamp{})
}

// move moves the commit to another branch, which must not exist, and deletes the old branch.
func (b *bundle) move(op Op, rev Revision, is porch.Lifecycle, from, to string) error {
	if rev.Lifecycle != is {
		return rev.refuse(string(op), "it is %s, not %s", rev.Lifecycle, is)
	}
	target := to + strings.TrimPrefix(rev.Ref, from)
	if _, taken := b.store.repo.Ref(target); taken {
		return rev.refuse(string(op), "branch %s exists already; delete one of the two", target)
	}
	b.update(place{target, rev.Path}, gitrepo.RefUpdate{Name: target, New: rev.Target}, gitrepo.RefUpdate{Name: rev.Ref, Old: rev.Target})
	return nil
}

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
