package variant

import (
	"errors"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// classify sorts the downstream revisions: ours and wanted, to be adopted, ours and
// no longer wanted, or of another owner. Of ours, all drafts and proposals are targets; without
// one it is the highest published revision. What a main branch holds without a tag has no owner:
// there is nothing to edit or upgrade, but it prevents a clone.
func (s *situation) classify() {
	var drafts []Revision
	d := s.pv.Spec.Downstream
	for _, r := range s.state.Downstream {
		matching, owned := r.of(d.Repo, d.Package), r.Owner == Owner(s.pv)
		switch {
		case r.Number == placeholder || matching && !owned && !s.state.MayTake(s.pv, &r):
			if matching && (s.foreign == nil || s.foreign.Number < r.Number) {
				s.foreign = &r // published before a draft, a draft before what is only on the main branch
			}
			continue
		case owned && !matching && r.Orphaned:
			continue
		case owned && !matching:
			s.retireUnwanted(r)
			continue
		case !matching:
			continue
		case !owned:
			s.adopt = append(s.adopt, r)
		}
		if r.isDraft() {
			drafts = append(drafts, r)
		} else {
			s.published = append(s.published, r)
		}
	}
	s.setTargets(drafts)
}

// setTargets makes open drafts the targets; without one it is the highest published revision.
func (s *situation) setTargets(drafts []Revision) {
	s.targets = drafts
	if len(drafts) == 0 && len(s.published) > 0 {
		s.targets = []Revision{slices.MaxFunc(s.published, func(a, b Revision) int { return a.Number - b.Number })}
	}
}

// retire adds what the deletion policy says about r.
func retire(list []Retirement, spec *porchconfig.PackageVariantSpec, r Revision) []Retirement {
	switch {
	case spec.Orphans():
		return append(list, Retirement{r, Orphan})
	case r.isDraft():
		return append(list, Retirement{r, Delete})
	case r.Lifecycle == porch.Published:
		return append(list, Retirement{r, ProposeDeletion})
	}
	return list
}

// oldUpstream finds the published upstream revision that the target was made of: the one that its lock names; the
// one at the same commit, where the Repository has another URL now; or, for a lock without a commit, the one of
// that number. A revision that no Repository lists any more is its lock, without a name, and so is the draft that was published as the
// upstream.
func (s *situation) oldUpstream() (*Revision, error) {
	lock := normalLock(*s.targets[0].Lock)
	number := refNumber(lock.Ref)
	if number == 0 {
		return nil, errors.New("upstream cannot be published with revision number 0")
	}
	u := s.pv.Spec.Upstream
	numbered := func(match func(*Revision) bool) *Revision {
		return first(s.state.Upstream, func(r *Revision) bool {
			return number != placeholder && r.Number == number && r.Lifecycle.IsPublished() && match(r)
		})
	}
	for _, matches := range []func(kptfilev1.GitLock, *Revision) bool{isAt, isSameCommit} {
		if r := numbered(func(r *Revision) bool { return matches(lock, r) }); r != nil {
			return r, nil
		}
	}
	if lock.Commit != "" && (number != placeholder || s.upstream.wasDraft(lock)) {
		return &Revision{Number: number, Lifecycle: porch.Published, Self: lock}, nil
	}
	if r := numbered(func(r *Revision) bool { return r.of(u.Repo, u.Package) }); r != nil {
		return r, nil
	}
	return nil, notFound(u, lock.Ref[strings.LastIndexByte(lock.Ref, '/')+1:])
}

// isAt reports whether r is where a lock says.
func isAt(lock kptfilev1.GitLock, r *Revision) bool {
	self := normalLock(r.Self)
	return gitrepo.SameRepository(self.Repo, lock.Repo) && self.Ref == lock.Ref && sameDirectory(lock.Directory, self.Directory)
}

// isSameCommit reports whether r holds what a lock names: the same folder of the same commit.
func isSameCommit(lock kptfilev1.GitLock, r *Revision) bool {
	self := normalLock(r.Self)
	return lock.Commit != "" && lock.Commit == self.Commit && sameDirectory(lock.Directory, self.Directory)
}
