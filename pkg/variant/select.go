package variant

import (
	"errors"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// sort puts every downstream revision where it belongs: ours and wanted, to be adopted, ours and
// no longer wanted, or somebody else's. Of ours, all drafts and proposals are targets; without
// one it is the highest published revision. What a main branch holds without a tag is nobody's:
// there is nothing to edit or upgrade, but it is in the way of a clone.
func (s *situation) sort() {
	var drafts []Revision
	d := s.pv.Spec.Downstream
	for _, r := range s.world.Downstream {
		matching, owned := r.of(d.Repo, d.Package), r.Owner == Owner(s.pv)
		switch {
		case r.Number == placeholder || matching && !owned && !s.world.MayTake(s.pv, &r):
			if matching && (s.strange == nil || s.strange.Number == placeholder) {
				s.strange = &r // a revision says more than what merely lies on the main branch
			}
			continue
		case owned && !matching && r.Orphaned:
			continue
		case owned && !matching:
			s.unwanted(r)
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
		s.targets = []Revision{highest(s.published)}
	}
}

func highest(revisions []Revision) Revision {
	top := revisions[0]
	for _, r := range revisions[1:] {
		if r.Number > top.Number {
			top = r
		}
	}
	return top
}

// retire adds what the deletion policy wants done to r.
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

// oldUpstream finds the published upstream revision that the target was made of: the one its lock
// names or, in a lock that Porch wrote, the one of that number.
func (s *situation) oldUpstream() (*Revision, error) {
	lock := normalLock(*s.targets[0].Lock)
	number := refNumber(lock.Ref)
	if number == 0 {
		return nil, errors.New("upstream cannot be published with revision number 0")
	}
	u := s.pv.Spec.Upstream
	isNumbered := func(r *Revision) bool {
		return r.Lifecycle.IsPublished() && r.Number == number && number != placeholder
	}
	byLock := first(s.world.Upstream, func(r *Revision) bool {
		if !isNumbered(r) {
			return false
		}
		self := normalLock(r.Self)
		return gitrepo.SameRepository(self.Repo, lock.Repo) && self.Ref == lock.Ref && sameDirectory(lock.Directory, self.Directory)
	})
	if byLock != nil {
		return byLock, nil
	}
	byNumber := first(s.world.Upstream, func(r *Revision) bool { return isNumbered(r) && r.of(u.Repo, u.Package) })
	if byNumber == nil {
		return nil, notFound(u, lock.Ref[strings.LastIndexByte(lock.Ref, '/')+1:])
	}
	return byNumber, nil
}
