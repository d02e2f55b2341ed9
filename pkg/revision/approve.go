package revision

import (
	"context"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Approve publishes a proposal: one push brings it onto the main branch, tags it with the next
// revision number, and takes the proposal's branch away. When others move the main branch
// meanwhile it starts over on theirs.
func (s *Store) Approve(ctx context.Context, rev Revision, by Stamp) (Revision, error) {
	return s.change(ctx, OpApprove, rev, by)
}

// published is what is in force, with what a bundle adds to that.
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

// approve stages the approval on what is on the main branch and in the bundle already.
func (b *bundle) approve(rev Revision, onLoss func([]Loss) error) error {
	if err := b.admit(rev); err != nil {
		return err
	}
	if err := b.tellLosses(rev, onLoss); err != nil {
		return err
	}
	n := b.published.highest[rev.Package] + 1
	now := Revision{Path: rev.Path, Revision: n, Ref: tagPrefix + rev.Path + "/v" + strconv.Itoa(n)}
	updates := []gitrepo.RefUpdate{{Name: rev.Ref, Old: rev.Target}}
	if _, taken := b.store.repo.Ref(now.Ref); taken {
		return rev.refuse(string(OpApprove), "tag %q is there and holds no such package: take it away first", gitrepo.Ref{Name: now.Ref}.Short())
	}
	if left, ok := b.store.repo.Ref(now.deletionRef()); ok { // it was about an earlier revision of that number
		updates = append(updates, gitrepo.RefUpdate{Name: left.Name, Old: left.Target})
	}
	id, err := b.join(rev, strconv.Itoa(n))
	if err != nil {
		return err
	}
	b.head, b.joined[rev.Path] = id, rev
	b.published.add(rev.Package, rev.Workspace)
	b.published.highest[rev.Package] = n
	b.update(place{now.Ref, rev.Path}, append(updates, gitrepo.RefUpdate{Name: now.Ref, New: id})...)
	return nil
}

// admit checks that rev may be approved. Packages that lie in one another may both be drafted while
// neither sees the other; of those, the one published first stays.
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

// tellLosses asks onLoss, if there is any, about what the approval undoes.
func (b *bundle) tellLosses(rev Revision, onLoss func([]Loss) error) error {
	if onLoss == nil {
		return nil
	}
	losses, err := b.losses(rev)
	if err != nil || len(losses) == 0 {
		return err
	}
	return onLoss(losses)
}

// join stages the commit that joins a proposal to the main branch.
func (b *bundle) join(rev Revision, n string) (gitrepo.Hash, error) {
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
