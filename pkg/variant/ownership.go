package variant

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// Kept is a revision that the deletion policy would retire, and that is kept.
type Kept struct {
	Revision Revision
	Reason   string
}

// is reports whether two Repository objects show one revision: the same ref of one repository, or the same ref
// at the same commit where it is not known that the repositories are the same, as with a mirror or a server with
// two names.
func (r *Revision) is(other *Revision) bool {
	return r.Self.Ref == other.Self.Ref && (r.Address != "" && r.Address == other.Address ||
		r.Self.Commit != "" && r.Self.Commit == other.Self.Commit)
}

// retireUnwanted plans what happens to a revision that the variant owns and no longer wants, as its Repository
// object shows it. What a variant made through another Repository object is retired through that one.
func (s *situation) retireUnwanted(r Revision) {
	is, why := s.belongs(&r)
	switch wanted := s.isWanted(&r); {
	case wanted != nil && is && (r.Address == "" || r.Address != wanted.Address):
		is, why = false, fmt.Sprintf("%s is wanted, and is the same commit on a branch or tag of the same name", wanted.Name)
	case wanted != nil:
		return
	}
	if by := s.claim(&r); is && by != "" {
		is, why = false, by
	}
	switch {
	case is:
		s.retire = retire(s.retire, &s.pv.Spec, r)
	case why != "" && !s.pv.Spec.Orphans() && r.Lifecycle != porch.DeletionProposed:
		s.kept = append(s.kept, Kept{r, why})
	}
}

// belongs reports whether a revision that the variant owns was made through the Repository object that shows
// it, and if that is not known, why not.
func (s *situation) belongs(r *Revision) (is bool, why string) {
	switch {
	case r.Set != SetOf(s.pv) && r.Set != "":
		return false, fmt.Sprintf("it was made for a variant of this name of PackageVariantSet %q", r.Set)
	case r.Set != SetOf(s.pv):
		return false, "it was made for a variant of this name that was of no PackageVariantSet"
	case r.Continued != "":
		return false, fmt.Sprintf("%s has a later revision of the package", r.Continued)
	case r.Through == r.Repo && s.isUnderAnotherPath(r):
		return false, fmt.Sprintf("its path is %q, and Repository %q showed another directory when it was made",
			path.Join(r.Directory, r.Package), r.Repo)
	case r.Through == r.Repo:
		return true, ""
	case r.Through == "":
		return s.mustBelong(r)
	case slices.Contains(s.state.Repositories, r.Through):
		return false, "" // that one shows it, too, or retired it
	}
	return false, fmt.Sprintf("it was made through Repository %q, which does not exist", r.Through)
}

// isUnderAnotherPath reports whether the Repository object shows another directory than when r was made, so that the variant
// wants another package although its spec is the same. Where a revision does not say its directory, the variant's package may be
// the path from the root.
func (s *situation) isUnderAnotherPath(r *Revision) bool {
	d := s.pv.Spec.Downstream
	switch {
	case r.MadeIn == r.Directory, !s.pv.DeletionTimestamp.IsZero(), d == nil:
		return false
	case r.MadeIn == "":
		return d.Repo == r.Repo && d.Package == path.Join(r.Directory, r.Package)
	}
	return true
}

// mustBelong is belongs of a revision that does not say through which Repository object it was made, as those of
// earlier releases: it was made through the one that the variant names, if that shows the package that the variant
// names or is the only one that shows the revision.
func (s *situation) mustBelong(r *Revision) (is bool, why string) {
	const unsaid = "it does not say through which Repository it was made, and "
	d := s.pv.Spec.Downstream
	var also []string
	for i := range s.state.Downstream {
		if other := &s.state.Downstream[i]; other.Repo != r.Repo && other.Owner == r.Owner && r.is(other) {
			also = append(also, fmt.Sprintf("%q", other.Repo))
		}
	}
	switch {
	case s.isOfDownstream(r):
		return true, ""
	case len(also) > 0:
		return false, fmt.Sprintf(unsaid+"%q shows it as well as %s", r.Repo, strings.Join(also, ", "))
	case d != nil && d.Repo != r.Repo:
		return false, fmt.Sprintf(unsaid+"the variant names %q", d.Repo)
	case len(s.state.Unread) > 0:
		return false, fmt.Sprintf(unsaid+"%q cannot be read, which may show it, too", s.state.Unread[0])
	}
	return true, ""
}

// isOfDownstream reports whether r is a revision of the package that the variant names.
func (s *situation) isOfDownstream(r *Revision) bool {
	d := s.pv.Spec.Downstream
	return d != nil && r.of(d.Repo, d.Package)
}

// isWanted is the revision of the downstream package that r is, shown by another Repository object; nil when there
// is none.
func (s *situation) isWanted(r *Revision) *Revision {
	if !s.pv.DeletionTimestamp.IsZero() {
		return nil
	}
	return first(s.state.Downstream, func(other *Revision) bool { return s.isOfDownstream(other) && r.is(other) })
}

// keepEdited leaves everything as it is while a draft or proposal that would be deleted holds commits by others.
func keepEdited(s *situation) *Plan {
	i := slices.IndexFunc(s.retire, func(old Retirement) bool { return old.Action == Delete && old.Revision.Foreign })
	if i < 0 || s.state.DeletesEdited {
		return nil
	}
	r := s.retire[i].Revision
	return &Plan{Kind: EditedDraft, Reason: fmt.Sprintf("%s is %s, is no longer wanted and holds commits by others up to %s: it is kept, "+
		"and nothing is changed until it is published or deleted, or --delete-edited-drafts is given", r.Name, r.Lifecycle, r.Self.Commit),
		Kept: []Kept{{r, "it holds commits by others"}}}
}
