package variant

import (
	"fmt"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// rule returns a plan where it applies, and nil where it does not.
type rule struct {
	name string
	plan func(*situation) *Plan
}

// rules are tried in order; the first that applies decides. The last one always applies.
var rules = []rule{
	{"the variant is being deleted", release},
	{"the spec is wrong", invalid},
	{"the upstream is missing", upstreamMissing},
	{"a draft that is no longer wanted holds commits by others", keepEdited},
	{"the package belongs to another owner", blockedByOwner},
	{"there is no downstream yet", create},
	{"the tag of the upstream was moved", movedTag},
	{"upstream moved while a draft is open", draftBehind},
	{"a draft is open", updateDraft},
	{"the published downstream follows its upstream", edit},
	{"upstream moved and the start of the merge is missing", upgradeBlocked},
	{"upstream moved", upgrade},
}

// Decide returns what pv wants in a state.
func Decide(pv *porchconfig.PackageVariant, state State) Plan {
	s := observe(pv, state)
	for _, r := range rules {
		if plan := r.plan(s); plan != nil {
			plan.Rule = r.name
			return *plan
		}
	}
	return Plan{Kind: Blocked, Reason: "no rule fits; please report it"}
}

// situation is a state as one variant sees it.
type situation struct {
	pv        *porchconfig.PackageVariant
	state     State // its downstreams in order of names
	invalid   error
	upstream  *Revision
	missing   error // why there is no upstream
	targets   []Revision
	published []Revision // of the downstream package, ours or to be adopted
	adopt     []Revision
	retire    []Retirement
	kept      []Kept       // that are no longer wanted and not retired
	outdated  []Retirement // open drafts that a draft of the present upstream replaces
	foreign   *Revision    // the highest revision of the downstream package that is not ours and that may not be adopted
}

func observe(pv *porchconfig.PackageVariant, state State) *situation {
	state.Downstream = slices.SortedStableFunc(slices.Values(state.Downstream), func(a, b Revision) int { return compareNames(&a, &b) })
	s := &situation{pv: pv, state: state, invalid: Validate(pv)}
	if s.invalid != nil {
		return s
	}
	s.classify()
	if s.upstream, s.missing = s.resolve(); s.missing == nil && s.moved() == nil {
		s.replaceOutdated()
	}
	return s
}

// plan starts a plan of a kind with what all kinds have in common. A plan that is blocked
// keeps the drafts that exist: nothing replaces them.
func (s *situation) plan(kind Kind, format string, args ...any) *Plan {
	plan := &Plan{Kind: kind, Reason: fmt.Sprintf(format, args...), Upstream: s.upstream, Adopt: s.adopt, Retire: s.retire, Kept: s.kept}
	if kind != Blocked {
		plan.Retire = slices.Concat(s.retire, s.outdated)
	}
	return plan
}

func release(s *situation) *Plan {
	if s.pv.DeletionTimestamp.IsZero() {
		return nil
	}
	if !s.pv.Spec.DeletionPolicy.IsKnown() {
		return &Plan{Kind: Invalid, Reason: s.invalid.Error()}
	}
	s.retire, s.kept = nil, nil
	for _, r := range s.state.Downstream {
		if r.Owner == Owner(s.pv) && r.Number != placeholder {
			s.retireUnwanted(r)
		}
	}
	if plan := keepEdited(s); plan != nil {
		return plan
	}
	return &Plan{Kind: Release, Reason: "the PackageVariant is being deleted", Retire: s.retire, Kept: s.kept}
}

func invalid(s *situation) *Plan {
	if s.invalid == nil {
		return nil
	}
	return &Plan{Kind: Invalid, Reason: s.invalid.Error()}
}

func upstreamMissing(s *situation) *Plan {
	if s.missing == nil {
		return nil
	}
	return &Plan{Kind: UpstreamMissing, Reason: s.missing.Error()}
}

func blockedByOwner(s *situation) *Plan {
	if len(s.targets) > 0 || s.foreign == nil {
		return nil
	}
	r, hint := s.foreign, fmt.Sprintf("spec.adoptionPolicy %q takes it over", porchconfig.AdoptExisting)
	switch {
	case r.Number == placeholder:
		hint = fmt.Sprintf("it is on the main branch and is no revision; make it one with the Git tag %q, or delete it there",
			path.Join(r.Directory, r.Package, "v1"))
	case s.state.Released[r.Owner]:
		hint = fmt.Sprintf("it belongs to %s, which does not want it any more; spec.adoptionPolicy %q takes it over", r.Owner,
			porchconfig.AdoptExisting)
	case r.Owner != "":
		hint = fmt.Sprintf("it belongs to %s; to take it over, delete that variant with spec.deletionPolicy %q (in files, keep it and give it "+
			"a metadata.deletionTimestamp), and set spec.adoptionPolicy %[3]q here", r.Owner, porchconfig.DeletionOrphan, porchconfig.AdoptExisting)
	}
	return s.plan(Blocked, "downstream package %q exists already in repo %q (revision %q): %s", r.Package, r.Repo, r.Name, hint)
}

func create(s *situation) *Plan {
	if len(s.targets) > 0 {
		return nil
	}
	plan := s.plan(CreateClone, "there is no downstream yet")
	plan.Workspace = nextWorkspace(s.pv.Spec.Downstream, &s.state)
	return plan
}

func draftBehind(s *situation) *Plan {
	behind := s.behind()
	if len(behind) == 0 {
		return nil
	}
	name, advice := s.advise(behind)
	return s.plan(Blocked, "cannot update upstream of downstream %q when it is not published: %s", name, advice)
}

func updateDraft(s *situation) *Plan {
	if !s.targets[0].isDraft() {
		return nil
	}
	plan := s.plan(UpdateDraft, "downstream %q is not published yet", s.targets[0].Name)
	plan.Targets = s.targets
	return plan
}

func edit(s *situation) *Plan {
	if !upToDate(&s.targets[0], s.upstream) {
		return nil
	}
	plan := s.fromPublished(s.plan(EditFromPublished, "downstream %q follows upstream %q", s.targets[0].Name, s.upstream.Title()))
	plan.Workspace = nextWorkspace(s.pv.Spec.Downstream, &s.state)
	return plan
}

func upgradeBlocked(s *situation) *Plan {
	if _, err := s.oldUpstream(); err != nil {
		return s.fromPublished(s.plan(Blocked, "%v", err))
	}
	return nil
}

func upgrade(s *situation) *Plan {
	old, _ := s.oldUpstream() // upgradeBlocked has no error of it
	plan := s.fromPublished(s.plan(UpgradeFromPublished, "upstream moved from %q to %q", old.Title(), s.upstream.Name))
	plan.OldUpstream, plan.Workspace = old, nextWorkspace(s.pv.Spec.Downstream, &s.state)
	return plan
}

func (s *situation) fromPublished(plan *Plan) *Plan {
	plan.Targets = s.targets
	plan.Restore = s.targets[0].Lifecycle == porch.DeletionProposed
	if s.foreign != nil && s.foreign.Number > s.targets[0].Number {
		plan.Newer = s.foreign
	}
	return plan
}
