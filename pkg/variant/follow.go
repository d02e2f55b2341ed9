package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// resolve finds the revision to follow: the one that the spec names or, when it asks for a range,
// the highest published one in it.
func (s *situation) resolve() (*Revision, error) {
	u := s.pv.Spec.Upstream
	if u.Follow == "" {
		return resolveUpstream(u, s.state.Upstream)
	}
	follow, err := porchconfig.ParseFollow(u.Follow)
	if err != nil {
		return nil, fmt.Errorf("spec.upstream.follow: %w", err)
	}
	return s.floating(u, follow)
}

// floating returns the highest published revision that fits. A downstream that was made of one that
// was proposed for deletion or deleted since stays with it until a higher one is published: a downstream that
// is newer than all revisions is not downgraded. To downgrade it, users narrow the range.
func (s *situation) floating(u *porchconfig.Upstream, follow porchconfig.Follow) (*Revision, error) {
	lock := s.madeOf(u)
	used := refNumber(lock.Ref)
	var top *Revision
	for _, r := range s.publishedUpstream() {
		switch {
		case !follow.Allows(r.Number):
		case r.Lifecycle == porch.DeletionProposed && r.Number != used:
		case top == nil || r.Number > top.Number || r.Number == top.Number && compareNames(r, top) < 0:
			top = r
		}
	}
	switch {
	case top == nil:
		return nil, s.nothingFits(u)
	case used > top.Number && follow.Allows(used):
		return &Revision{Repo: u.Repo, Package: u.Package, Number: used, Lifecycle: porch.Published, Self: lock}, nil
	}
	return top, nil
}

// madeOf is the highest lock of the targets on a numbered revision of that upstream package, which
// may have been deleted since; without one a lock without a number.
func (s *situation) madeOf(u *porchconfig.Upstream) (lock kptfilev1.GitLock) {
	for i := range s.targets {
		if s.targets[i].Lock == nil {
			continue
		}
		l := normalLock(*s.targets[i].Lock)
		if _, draft := draftOf(l); !draft && refNumber(l.Ref) > refNumber(lock.Ref) && s.isLockOn(u, l) {
			lock = l
		}
	}
	return lock
}

// isLockOn reports whether a lock is on any revision of that upstream package, by where the package
// is: all of its revisions are in one place.
func (s *situation) isLockOn(u *porchconfig.Upstream, lock kptfilev1.GitLock) bool {
	return slices.ContainsFunc(s.state.Upstream, func(r Revision) bool {
		self := normalLock(r.Self)
		return r.of(u.Repo, u.Package) && gitrepo.SameRepository(self.Repo, lock.Repo) && sameDirectory(lock.Directory, self.Directory)
	})
}

// maxListed is how many revisions an error lists, the newest first.
const maxListed = 10

// publishedUpstream returns the published revisions of the upstream package.
func (s *situation) publishedUpstream() (out []*Revision) {
	for i := range s.state.Upstream {
		r := &s.state.Upstream[i]
		if r.of(s.pv.Spec.Upstream.Repo, s.pv.Spec.Upstream.Package) && r.Number > 0 && r.Lifecycle.IsPublished() {
			out = append(out, r)
		}
	}
	return out
}

// nothingFits is an error that lists the revisions, none of which fits.
func (s *situation) nothingFits(u *porchconfig.Upstream) error {
	there := s.publishedUpstream()
	slices.SortFunc(there, func(a, b *Revision) int { return cmp.Or(cmp.Compare(b.Number, a.Number), compareNames(a, b)) })
	listed := "none is published"
	if len(there) > 0 {
		listed = "there is " + list(there)
	}
	return fmt.Errorf("no published revision of package %q in repo %q fits spec.upstream.follow %q: %s", u.Package, u.Repo, u.Follow, listed)
}

// list names revisions by number, newest first.
func list(revisions []*Revision) string {
	var names []string
	for _, r := range revisions[:min(len(revisions), maxListed)] {
		name := fmt.Sprintf("v%d", r.Number)
		if r.Lifecycle == porch.DeletionProposed {
			name += " (proposed for deletion)"
		}
		names = append(names, name)
	}
	if more := len(revisions) - maxListed; more > 0 {
		names = append(names, fmt.Sprintf("and %d older", more))
	}
	return strings.Join(names, ", ")
}
