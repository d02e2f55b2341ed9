package variant

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// OpenDraftAnnotation of a PackageVariant says what happens to its open draft when there is a new
// upstream: OpenDraftKeep or OpenDraftRecreate. Without it the draft is kept.
const OpenDraftAnnotation = "waybill.dev/open-draft"

// The values of OpenDraftAnnotation.
const (
	// OpenDraftKeep leaves the draft as it is, and the variant waits until it is published or
	// deleted, as Porch's controller does.
	OpenDraftKeep = "keep"
	// OpenDraftRecreate deletes the draft and makes one of the new upstream in its place,
	// whatever the deletion policy. A draft that is proposed, that was adopted, or that holds
	// commits by others is still kept.
	OpenDraftRecreate = "recreate"
)

// behind returns the open drafts and proposals that were made of another upstream than the present one. That the upstream was a
// draft and is published now changes nothing in them.
func (s *situation) behind() (drafts []Revision) {
	for i := range s.targets {
		if r := &s.targets[i]; r.isDraft() && !upToDate(r, s.upstream) && !isApprovalOf(s.upstream, r) {
			drafts = append(drafts, *r)
		}
	}
	return drafts
}

// replaceOutdated retires the drafts that are behind when the variant wants that and all of them
// may be deleted: as long as one stays, a draft in place of the others is of no use.
func (s *situation) replaceOutdated() {
	behind := s.behind()
	stays := func(r Revision) bool { return s.whyKept(&r) != "" }
	if len(behind) == 0 || s.pv.Annotations[OpenDraftAnnotation] != OpenDraftRecreate || slices.ContainsFunc(behind, stays) {
		return
	}
	for _, r := range behind {
		s.outdated = append(s.outdated, Retirement{r, Delete})
	}
	s.setTargets(slices.DeleteFunc(s.targets, func(r Revision) bool {
		return slices.ContainsFunc(behind, func(b Revision) bool { return compareNames(&r, &b) == 0 })
	}))
}

// whyKept says why a draft of another upstream must not be deleted; "" when it may be.
func (s *situation) whyKept(r *Revision) string {
	switch {
	case r.Lifecycle != porch.Draft:
		return fmt.Sprintf("it is %s; approve or reject it", r.Lifecycle)
	case r.Adopted || r.Owner != Owner(s.pv):
		return "it was adopted, not made for this PackageVariant; publish or delete it"
	case r.Through != "" && r.Through != r.Repo:
		return fmt.Sprintf("it was made through Repository %q; publish or delete it", r.Through)
	case r.Foreign:
		return "it holds commits by others; publish or delete it"
	}
	return ""
}

// advise names the draft that keeps the variant from following its upstream, and says what to do: about one
// that cannot be recreated or, when all can be, about the first.
func (s *situation) advise(behind []Revision) (name, advice string) {
	for i := range behind {
		if why := s.whyKept(&behind[i]); why != "" {
			return behind[i].Name, why
		}
	}
	return behind[0].Name, fmt.Sprintf("publish or delete it, or set the annotation %s: %s", OpenDraftAnnotation, OpenDraftRecreate)
}
