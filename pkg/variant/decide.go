package variant

import (
	"fmt"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// rule is a question to the situation, and the plan to follow when it is the first that says yes.
type rule struct {
	name string
	try  func(*situation) (*Plan, bool)
}

// rules are tried in order; the last one always says yes.
var rules = []rule{
	{"the variant is being deleted", release},
	{"the spec is wrong", invalid},
	{"the upstream is missing", upstreamMissing},
	{"a draft that is no longer wanted holds commits by others", keepEdited},
	{"the package belongs to another owner", foreign},
	{"there is no downstream yet", create},
	{"upstream moved while a draft is open", draftBehind},
	{"a draft is open", updateDraft},
	{"the published downstream follows its upstream", edit},
	{"upstream moved and the start of the merge is missing", upgradeBlocked},
	{"upstream moved", upgrade},
}

// Decide says what pv wants in that state.
func Decide(pv *porchconfig.PackageVariant, state State) Plan {
	s := observe(pv, state)
	for _, r := range rules {
		if plan, ok := r.try(s); ok {
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
	outdated  []Retirement // open drafts that make room for one of the upstream of now
	strange   *Revision    // the highest revision of the downstream package that is not ours and stays so
}

func observe(pv *porchconfig.PackageVariant, state State) *situation {
	state.Downstream = byName(state.Downstream)
	s := &situation{pv: pv, state: state, invalid: Validate(pv)}
	if s.invalid != nil {
		return s
	}
	s.sort()
	if s.upstream, s.missing = s.resolve(); s.missing == nil {
		s.outdate()
	}
	return s
}

// plan starts a plan of that kind with what goes along with all of them. A plan that is blocked
// keeps the drafts there are: nothing will take their place.
func (s *situation) plan(kind Kind, format string, args ...any) *Plan {
	plan := &Plan{Kind: kind, Reason: fmt.Sprintf(format, args...), Upstream: s.upstream, Adopt: s.adopt, Retire: s.retire, Kept: s.kept}
	if kind != Blocked {
		plan.Retire = slices.Concat(s.retire, s.outdated)
	}
	return plan
}

func release(s *situation) (*Plan, bool) {
	if s.pv.DeletionTimestamp.IsZero() {
		return nil, false
	}
	if !s.pv.Spec.DeletionPolicy.IsKnown() {
		return &Plan{Kind: Invalid, Reason: s.invalid.Error()}, true
	}
	s.retire, s.kept = nil, nil
	for _, r := range s.state.Downstream {
		if r.Owner == Owner(s.pv) && r.Number != placeholder {
			s.unwanted(r)
		}
	}
	if r := s.edited(s.retire); r != nil {
		return s.keeping(r), true
	}
	return &Plan{Kind: Release, Reason: "the PackageVariant is being deleted", Retire: s.retire, Kept: s.kept}, true
}

func invalid(s *situation) (*Plan, bool) {
	if s.invalid == nil {
		return nil, false
	}
	return &Plan{Kind: Invalid, Reason: s.invalid.Error()}, true
}

func upstreamMissing(s *situation) (*Plan, bool) {
	if s.missing == nil {
		return nil, false
	}
	return &Plan{Kind: UpstreamMissing, Reason: s.missing.Error()}, true
}

func foreign(s *situation) (*Plan, bool) {
	if len(s.targets) > 0 || s.strange == nil {
		return nil, false
	}
	r, hint := s.strange, fmt.Sprintf("spec.adoptionPolicy %q takes it over", porchconfig.AdoptExisting)
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
	return s.plan(Blocked, "downstream package %q exists already in repo %q (revision %q): %s", r.Package, r.Repo, r.Name, hint), true
}

func create(s *situation) (*Plan, bool) {
	if len(s.targets) > 0 {
		return nil, false
	}
	plan := s.plan(CreateClone, "there is no downstream yet")
	plan.Workspace = s.nextWorkspace()
	return plan, true
}

func draftBehind(s *situation) (*Plan, bool) {
	if behind := s.behind(); len(behind) > 0 {
		name, advice := s.inTheWay(behind)
		return s.plan(Blocked, "cannot update upstream of downstream %q when it is not published: %s", name, advice), true
	}
	return nil, false
}

func updateDraft(s *situation) (*Plan, bool) {
	if !s.targets[0].isDraft() {
		return nil, false
	}
	plan := s.plan(UpdateDraft, "downstream %q is not published yet", s.targets[0].Name)
	plan.Targets = s.targets
	return plan, true
}

func edit(s *situation) (*Plan, bool) {
	if !upToDate(&s.targets[0], s.upstream) {
		return nil, false
	}
	plan := s.fromPublished(s.plan(EditFromPublished, "downstream %q follows upstream %q", s.targets[0].Name, s.upstream.Title()))
	plan.Workspace = s.nextWorkspace()
	return plan, true
}

func upgradeBlocked(s *situation) (*Plan, bool) {
	if _, err := s.oldUpstream(); err != nil {
		return s.fromPublished(s.plan(Blocked, "%v", err)), true
	}
	return nil, false
}

func upgrade(s *situation) (*Plan, bool) {
	old, err := s.oldUpstream()
	if err != nil {
		return nil, false
	}
	plan := s.fromPublished(s.plan(UpgradeFromPublished, "upstream moved from %q to %q", old.Title(), s.upstream.Name))
	plan.OldUpstream, plan.Workspace = old, s.nextWorkspace()
	return plan, true
}

func (s *situation) fromPublished(plan *Plan) *Plan {
	plan.Targets = s.targets
	plan.Restore = s.targets[0].Lifecycle == porch.DeletionProposed
	if s.strange != nil && s.strange.Number > s.targets[0].Number {
		plan.Newer = s.strange
	}
	return plan
}

func (s *situation) nextWorkspace() string {
	return nextWorkspace(s.pv.Spec.Downstream, s.state.Downstream)
}
