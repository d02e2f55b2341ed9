package variant

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// OpenDraftAnnotation of a PackageVariant says what becomes of its open draft when upstream moves
// on: OpenDraftKeep or OpenDraftRecreate. Without it the draft is kept.
const OpenDraftAnnotation = "waybill.dev/open-draft"

// The values of OpenDraftAnnotation.
const (
	// OpenDraftKeep leaves the draft as it is, and the variant waits until it is published or
	// deleted, as Porch's controller does.
	OpenDraftKeep = "keep"
	// OpenDraftRecreate deletes the draft and makes one of the upstream of now in its place,
	// whatever the deletion policy. A draft that is proposed, that was adopted, or that holds
	// commits by others is kept all the same.
	OpenDraftRecreate = "recreate"
)

// behind are the open drafts and proposals that were made of another upstream than that of now.
func (s *situation) behind() (drafts []Revision) {
	for i := range s.targets {
		if r := &s.targets[i]; r.isDraft() && !upToDate(r, s.upstream) {
			drafts = append(drafts, *r)
		}
	}
	return drafts
}

// outdate lets the drafts that are behind make room when the variant wants that and all of them
// may go: one that stays would keep the others' successor from being of any use.
func (s *situation) outdate() {
	behind := s.behind()
	if len(behind) == 0 || !recreates(s.pv) {
		return
	}
	for i := range behind {
		if s.whyKept(&behind[i]) != "" {
			return
		}
	}
	var stays []Revision
	for i := range s.targets {
		if r := s.targets[i]; upToDate(&r, s.upstream) {
			stays = append(stays, r)
		}
	}
	for _, r := range behind {
		s.outdated = append(s.outdated, Retirement{r, Delete})
	}
	s.setTargets(stays)
}

func recreates(pv *porchconfig.PackageVariant) bool {
	return pv.Annotations[OpenDraftAnnotation] == OpenDraftRecreate
}

// whyKept says why a draft of another upstream must not be thrown away; "" when it may be.
func (s *situation) whyKept(r *Revision) string {
	switch {
	case r.Lifecycle != porch.Draft:
		return fmt.Sprintf("it is %s; approve or reject it", r.Lifecycle)
	case r.Owner != Owner(s.pv):
		return "it was adopted, not made for this PackageVariant; publish or delete it"
	case r.Through != "" && r.Through != r.Repo:
		return fmt.Sprintf("it was made through Repository %q; publish or delete it", r.Through)
	case r.Foreign:
		return "it holds commits by others; publish or delete it"
	}
	return ""
}

// inTheWay names the draft that keeps the variant from following its upstream, and says what to do: about one
// that cannot be made anew or, when all can be, about the first.
func (s *situation) inTheWay(behind []Revision) (name, advice string) {
	for i := range behind {
		if why := s.whyKept(&behind[i]); why != "" {
			return behind[i].Name, why
		}
	}
	return behind[0].Name, fmt.Sprintf("publish or delete it, or set the annotation %s: %s", OpenDraftAnnotation, OpenDraftRecreate)
}
