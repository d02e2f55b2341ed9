package variant_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// checkDecide checks a plan and every law.
func checkDecide(t *testing.T, pv *porchconfig.PackageVariant, state variant.State, reason, want string) variant.Plan {
	t.Helper()
	plan := variant.Decide(pv, state)
	if diff := cmp.Diff(want, summary(plan)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
	checkPlanLaws(t, pv, state, plan)
	return plan
}

// testing and rapid fail alike.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// idle are the kinds of plan that do nothing.
var idle = []variant.Kind{variant.Invalid, variant.UpstreamMissing, variant.Blocked, variant.EditedDraft}

// checkPlanLaws checks what holds for every plan.
func checkPlanLaws(t failer, pv *porchconfig.PackageVariant, state variant.State, plan variant.Plan) {
	t.Helper()
	checkSafe(t, pv, state, plan)
	if (plan.Err() == nil) == slices.Contains(idle, plan.Kind) {
		t.Errorf("Err() of %s is %v", plan.Kind, plan.Err())
	}
	backwards := state
	backwards.Upstream, backwards.Downstream = slices.Clone(state.Upstream), slices.Clone(state.Downstream)
	slices.Reverse(backwards.Upstream)
	slices.Reverse(backwards.Downstream)
	if diff := cmp.Diff(plan, variant.Decide(pv, backwards)); diff != "" {
		t.Errorf("the same revisions give the same plan, in whatever order (-one +other):\n%s", diff)
	}
	if plan.Err() == nil {
		checkSettles(t, pv, carryOut(pv, state, plan), plan)
	}
}

// checkSafe checks that a plan takes nothing that is not the variant's.
func checkSafe(t failer, pv *porchconfig.PackageVariant, state variant.State, plan variant.Plan) {
	t.Helper()
	wanted := pv.Spec.Downstream
	isWanted := func(r variant.Revision) bool {
		return wanted != nil && r.Repo == wanted.Repo && r.Package == wanted.Package
	}
	for _, r := range state.Downstream {
		if r.Workspace == plan.Workspace && isWanted(r) {
			t.Errorf("workspace %s is taken", plan.Workspace)
		}
	}
	for _, r := range plan.Retire {
		old := r.Revision
		if old.Owner != us {
			t.Errorf("%s is retired although it belongs to %q", old.Name, old.Owner)
		}
		if r.Action == variant.Delete && old.Foreign && !state.DeletesEdited {
			t.Errorf("%s is deleted although it holds commits by others", old.Name)
		}
		if r.Action != variant.Orphan && old.Through != "" && old.Through != old.Repo {
			t.Errorf("%s is retired although it was made through %s", old.Name, old.Through)
		}
		if r.Action != variant.Orphan && old.Through == "" && slices.ContainsFunc(state.Downstream, func(o variant.Revision) bool {
			return o.Repo != old.Repo && o.Owner == us && o.Self.Ref == old.Self.Ref && o.Self.Commit == old.Self.Commit
		}) && !isWanted(old) {
			t.Errorf("%s is retired although another Repository shows it, too", old.Name)
		}
		if isWanted(old) && plan.Kind != variant.Release && (old.Lifecycle != porch.Draft || old.Foreign || plan.Kind == variant.Blocked) {
			t.Errorf("%s of the wanted package is retired by plan %s", old.Name, plan.Kind)
		}
	}
	for _, r := range plan.Adopt {
		if r.Owner != "" && !r.Orphaned && !state.Released[r.Owner] && (r.Set == "" || state.Living == nil || state.Living[r.Owner]) {
			t.Errorf("%s is adopted although it belongs to %q", r.Name, r.Owner)
		}
	}
	for _, r := range plan.Targets {
		if r.Owner != us && !slices.ContainsFunc(plan.Adopt, func(a variant.Revision) bool { return a.Name == r.Name }) {
			t.Errorf("%s is a target although nothing adopts it", r.Name)
		}
	}
	if gone := plan.Upstream != nil && plan.Upstream.Name == ""; gone && !slices.Contains([]variant.Kind{variant.UpdateDraft, variant.EditFromPublished, variant.Blocked}, plan.Kind) {
		t.Errorf("plan %s needs an upstream that is gone", plan.Kind)
	}
}

// carryOut is the state after a plan, where mutations change nothing.
func carryOut(pv *porchconfig.PackageVariant, state variant.State, plan variant.Plan) variant.State {
	if plan.Err() != nil {
		return state
	}
	after := state
	after.Downstream = nil
	for _, r := range state.Downstream {
		named := func(o variant.Revision) bool { return o.Name == r.Name }
		if slices.ContainsFunc(plan.Adopt, named) {
			r.Owner = us
		}
		if plan.Restore && r.Name == plan.Targets[0].Name {
			r.Lifecycle = porch.Published
		}
		at := slices.IndexFunc(plan.Retire, func(o variant.Retirement) bool { return named(o.Revision) })
		switch {
		case at < 0:
		case plan.Retire[at].Action == variant.Delete:
			continue
		case plan.Retire[at].Action == variant.Orphan:
			r.Owner = ""
		default:
			r.Lifecycle = porch.DeletionProposed
		}
		after.Downstream = append(after.Downstream, r)
	}
	if plan.Kind == variant.CreateClone || plan.Kind == variant.UpgradeFromPublished {
		made := down(plan.Workspace, 0)
		made.Package, made.Lock = pv.Spec.Downstream.Package, &plan.Upstream.Self
		made.Name = "edge." + strings.ReplaceAll(made.Package, "/", ".") + "." + plan.Workspace
		after.Downstream = append(after.Downstream, made)
	}
	return after
}

// checkSettles checks that a plan is carried out once: then there is at most content to compare.
func checkSettles(t failer, pv *porchconfig.PackageVariant, after variant.State, plan variant.Plan) {
	t.Helper()
	next := variant.Decide(pv, after)
	want := []variant.Kind{variant.UpdateDraft, variant.EditFromPublished}
	if plan.Kind == variant.Release {
		want = []variant.Kind{variant.Release}
	}
	if !slices.Contains(want, next.Kind) || len(next.Retire)+len(next.Adopt) > 0 || next.Restore {
		t.Errorf("after %s there is still something to do: %s", summary(plan), summary(next))
	}
	if diff := cmp.Diff(plan.Upstream, next.Upstream); diff != "" && plan.Kind != variant.Release {
		t.Errorf("carrying out a plan moves the upstream (-before +after):\n%s", diff)
	}
}

// TestDecideLaws checks the laws on random states.
func TestDecideLaws(t *testing.T) {
	specs := [][]string{
		{}, {"upstream: {repo: blueprints, package: upf, revision: 2}"}, {"adoptionPolicy: adoptExisting"}, {"deletionPolicy: orphan"},
		{"upstream: {repo: blueprints, package: upf, follow: latest}"}, {"upstream: {repo: blueprints, package: upf, follow: '<4'}", "adoptionPolicy: adoptExisting"},
	}
	var variants []*porchconfig.PackageVariant
	for _, spec := range specs {
		for _, openDraft := range []string{"", variant.OpenDraftRecreate} {
			pv := newVariant(t, spec...)
			pv.Annotations = map[string]string{variant.OpenDraftAnnotation: openDraft}
			variants = append(variants, pv)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		pv := rapid.SampledFrom(variants).Draw(t, "variant")
		state := drawState(t)
		checkPlanLaws(t, pv, state, variant.Decide(pv, state))
	})
}

func drawState(t *rapid.T) (state variant.State) {
	for n := range 6 {
		switch r := published(n); rapid.IntRange(0, 2).Draw(t, fmt.Sprintf("upstream v%d", n)) {
		case 1:
			r.Lifecycle = porch.DeletionProposed
			state.Upstream = append(state.Upstream, r)
		case 2:
			state.Upstream = append(state.Upstream, r)
		}
	}
	state.Repositories = []string{"core", "edge"}
	state.DeletesEdited = rapid.Bool().Draw(t, "edited drafts may go")
	for i := range rapid.IntRange(0, 5).Draw(t, "downstreams") {
		label := func(what string) string { return fmt.Sprintf("%s of %d", what, i) }
		number := rapid.IntRange(-1, 5).Draw(t, label("number"))
		r := down(fmt.Sprintf("packagevariant-%d", i+1), number, from(rapid.IntRange(0, 6).Draw(t, label("lock"))))
		r.Owner = rapid.SampledFrom([]string{us, us, "", "PackageVariant fleet/other"}).Draw(t, label("owner"))
		r.Foreign = number == 0 && rapid.Bool().Draw(t, label("foreign"))
		switch {
		case !rapid.Bool().Draw(t, label("plain")):
		case number == 0:
			r.Lifecycle = porch.Proposed
		default:
			r.Lifecycle = porch.DeletionProposed
		}
		if rapid.IntRange(0, 3).Draw(t, label("place")) == 0 {
			elsewhere(&r)
		}
		placed(&r)
		r.Through = rapid.SampledFrom([]string{"", "edge", "edge", "core", "lost"}).Draw(t, label("through"))
		switch rapid.IntRange(0, 5).Draw(t, label("shown")) {
		case 0:
			state.Downstream = append(state.Downstream, inCore(r))
		case 1:
			r = inCore(r)
		}
		state.Downstream = append(state.Downstream, r)
	}
	return state
}
