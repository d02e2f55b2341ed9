package revision

import (
	"context"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Approve publishes a proposal: one push commits it to the main branch, tags it with the next
// revision number, and deletes the proposal's branch. When another client moves the main branch
// meanwhile, Approve starts again from the new commit.
func (s *Store) Approve(ctx context.Context, rev Revision, by Stamp) (Revision, error) {
	return s.change(ctx, OpApprove, rev, by)
}

// published are the published revisions, with those that a bundle adds.
type published struct {
	*rules
	highest map[string]int // number, by package
}

func (b *bundle) readPublished() error {
	if b.published != nil {
		return nil
	}
	revs, err := b.store.List()
	if err != nil {
		return err
	}
	revs = slices.DeleteFunc(revs, func(r Revision) bool { return !r.Lifecycle.IsPublished() })
	b.published = &published{newRules(revs), map[string]int{}}
	for _, r := range revs {
		b.published.highest[r.Package] = max(b.published.highest[r.Package], r.Revision)
	}
	return nil
}

// approve stages the approval on top of the main branch and of the earlier changes in the bundle.
func (b *bundle) approve(rev Revision, onLoss func([]Loss) error) error {
	if err := b.admit(rev); err != nil {
		return err
	}
	if err := b.reportLosses(rev, onLoss); err != nil {
		return err
	}
	n := b.published.highest[rev.Package] + 1
	now := Revision{Path: rev.Path, Revision: n, Ref: tagPrefix + rev.Path + "/v" + strconv.Itoa(n)}
	updates := []gitrepo.RefUpdate{{Name: rev.Ref, Old: rev.Target}}
	if _, taken := b.store.repo.Ref(now.Ref); taken {
		return rev.refuse(string(OpApprove), "tag %q exists and does not hold the package: delete it first", gitrepo.Ref{Name: now.Ref}.Short())
	}
	if left, ok := b.store.repo.Ref(now.deletionRef()); ok { // it proposed to delete an earlier revision of that number
		updates = append(updates, gitrepo.RefUpdate{Name: left.Name, Old: left.Target})
	}
	id, err := b.merge(rev, strconv.Itoa(n))
	if err != nil {
		return err
	}
	b.head, b.merged[rev.Path] = id, rev
	b.published.add(rev.Package, rev.Workspace)
	b.published.highest[rev.Package] = n
	b.update(place{now.Ref, rev.Path}, append(updates, gitrepo.RefUpdate{Name: now.Ref, New: id})...)
	return nil
}

// admit checks that rev may be approved. Two clients may draft packages of which one contains the other,
// because neither sees the other's draft; the package that is published first stays.
func (b *bundle) admit(rev Revision) error {
	op := string(OpApprove)
	switch rev.Lifecycle {
	case porch.Proposed:
	case porch.Draft:
		return rev.refuse(op, "it is a draft: propose it first")
	default:
		return rev.refuse(op, "it is %s, not %s", rev.Lifecycle, porch.Proposed)
	}
	if b.base.IsZero() {
		return rev.refuse(op, "the repository has no branch %q", b.store.cfg.Branch)
	}
	if err := b.readPublished(); err != nil {
		return err
	}
	if reason := b.published.nested(rev.Package); reason != "" {
		return rev.refuse(op, "%s", reason)
	}
	return nil
}

// reportLosses calls onLoss, if it is set, with the changes on the main branch that the approval undoes.
func (b *bundle) reportLosses(rev Revision, onLoss func([]Loss) error) error {
	if onLoss == nil {
		return nil
	}
	losses, err := b.losses(rev)
	if err != nil || len(losses) == 0 {
		return err
	}
	return onLoss(losses)
}

// merge stages the commit that merges a proposal into the main branch.
func (b *bundle) merge(rev Revision, n string) (gitrepo.Hash, error) {
	pkg, err := b.store.repo.DirID(rev.Commit, rev.Path)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	root, err := b.stage.Root(b.head)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if root, err = b.stage.GraftDir(root, rev.Path, pkg); err != nil {
		return gitrepo.Hash{}, err
	}
	if root, err = b.hydrated(root, rev); err != nil {
		return gitrepo.Hash{}, err
	}
	msg, err := message("Approving package revision "+rev.Path+"/"+n,
		Annotation{Package: rev.Path, Workspace: rev.Workspace, Revision: n}, rev.Owner, rev.Trailers...)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	return b.store.commit(b.stage, root, msg, b.by, b.head, rev.Commit)
}
