package revision

import (
	"context"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Approve publishes a proposal: one push brings it onto the main branch, tags it with the next
// revision number, and takes the proposal's branch away. When others move the main branch
// meanwhile it starts over on theirs.
func (s *Store) Approve(ctx context.Context, rev Revision, by Stamp) (Revision, error) {
	const op = "approve"
	switch rev.Lifecycle {
	case porch.Proposed:
	case porch.Draft:
		return Revision{}, rev.refuse(op, "it is a draft: propose it first")
	default:
		return Revision{}, rev.refuse(op, "it is %s, not %s", rev.Lifecycle, porch.Proposed)
	}
	var tag string
	err := s.retry(ctx, func() (err error) {
		tag, err = s.tryApprove(ctx, rev, by)
		return err
	})
	if err != nil {
		return Revision{}, rev.wrap(op, err)
	}
	out, err := s.at(tag)
	out.Latest = true // the highest number, by construction
	return out, err
}

func (s *Store) tryApprove(ctx context.Context, rev Revision, by Stamp) (tag string, err error) {
	head := s.head()
	if head.IsZero() {
		return "", rev.refuse("approve", "the repository has no branch %q", s.cfg.Branch)
	}
	revs, err := s.List()
	if err != nil {
		return "", err
	}
	n := strconv.Itoa(highest(revs, rev.Package) + 1)
	tag = tagPrefix + rev.Path + "/v" + n
	stage := s.repo.Stage()
	id, err := s.stageApproval(stage, head, rev, n, by)
	if err != nil {
		return "", err
	}
	return tag, stage.Push(ctx, []gitrepo.RefUpdate{
		{Name: s.mainRef(), Old: head, New: id},
		{Name: tag, New: id},
		{Name: rev.Ref, Old: rev.Target},
	})
}

// stageApproval stages the commit that joins a proposal to the main branch.
func (s *Store) stageApproval(stage *gitrepo.Stage, head gitrepo.Hash, rev Revision, n string, by Stamp) (gitrepo.Hash, error) {
	pkg, err := s.repo.DirID(rev.Commit, rev.Path)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	root, err := stage.Root(head)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if root, err = stage.GraftDir(root, rev.Path, pkg); err != nil {
		return gitrepo.Hash{}, err
	}
	msg, err := message("Approving package revision "+rev.Path+"/"+n,
		Annotation{Package: rev.Path, Workspace: rev.Workspace, Revision: n}, rev.Owner)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	return s.commit(stage, root, msg, by, head, rev.Commit)
}
