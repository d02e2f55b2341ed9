package variant_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// life is a variant and the state around it, which goes on from step to step.
type life struct {
	pv    *porchconfig.PackageVariant
	state variant.State
	plan  variant.Plan
}

// A step is what people do between two reconciles; the plan before it has been carried out.
type step struct {
	does string
	do   func(*life)
	want string
}

func nothing(*life) {}

// approve publishes every open draft, the first as number n.
func approve(n int) func(*life) {
	return func(l *life) {
		for i := range l.state.Downstream {
			if r := &l.state.Downstream[i]; r.Number == 0 {
				r.Number, r.Lifecycle = n, porch.Published
				n++
			}
		}
	}
}

func spec(t *testing.T, lines ...string) func(*life) {
	return func(l *life) { l.pv = newVariant(t, lines...) }
}

func remove(l *life) { l.pv.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }

func TestLife(t *testing.T) {
	const d1, d2 = "edge.net.upf.packagevariant-1", "edge.net.upf.packagevariant-2"
	const open1 = "UpdateDraft: downstream \"" + d1 + "\" is not published yet\ntarget " + d1 + "\n"
	const cloned = "CreateClone: there is no downstream yet\nworkspace packagevariant-1\n"
	const upgraded = "UpgradeFromPublished: upstream moved from \"blueprints.upf.v3\" to \"blueprints.upf.v4\"\nold blueprints.upf.v3\ntarget " + d1 + "\nworkspace packagevariant-2\n"
	edit := func(name, up, next string) string {
		return "EditFromPublished: downstream \"" + name + "\" follows upstream \"blueprints.upf." + up + "\"\ntarget " + name + "\nworkspace " + next + "\n"
	}
	more := func(l *life) { l.state.Upstream = append(l.state.Upstream, published(4)) }
	latest := "upstream: {repo: blueprints, package: upf, follow: latest}"
	elsewhere := "downstream: {repo: edge, package: net/core}"
	core := "edge.net.core.packagevariant-1"
	for name, tc := range map[string]struct {
		reason string
		steps  []step
	}{
		"drafted once": {"a fresh variant gets a draft, and no second one", []step{
			{"declared", nothing, cloned}, {"again", nothing, open1}, {"and again", nothing, open1},
		}},
		"kept up": {"a published downstream is upgraded when its upstream is, and only then", []step{
			{"declared", spec(t, latest), cloned}, {"published", approve(1), edit(d1, "v3", "packagevariant-2")}, {"upstream publishes", more, upgraded},
			{"published", approve(2), edit(d2, "v4", "packagevariant-3")},
		}},
		"waits": {"an open draft waits for its publication, and then the next one comes", []step{
			{"declared", spec(t, latest), cloned},
			{"upstream publishes", more, "Blocked: cannot update upstream of downstream \"" + d1 + "\" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate\n"},
			{"published", approve(1), upgraded},
		}},
		"pipeline": {"a change of the spec is looked at in what is published; whether it is one is for Mutate to see", []step{
			{"declared", nothing, cloned}, {"published", approve(1), edit(d1, "v3", "packagevariant-2")},
			{"functions come", spec(t, "pipeline: {mutators: [{image: a}]}"), edit(d1, "v3", "packagevariant-2")},
			{"and go", spec(t), edit(d1, "v3", "packagevariant-2")},
		}},
		"adopted": {"what exists is taken over, drafts and published revisions, and then it is as any other", []step{
			{"exists", func(l *life) {
				l.state.Downstream = []variant.Revision{down("v1", 1, owner("")), down("packagevariant-1", 0, owner(""))}
			}, "Blocked: downstream package \"net/upf\" exists already in repo \"edge\" (revision \"edge.net.upf.v1\"): spec.adoptionPolicy \"adoptExisting\" takes it over\n"},
			{"adopted", spec(t, "adoptionPolicy: adoptExisting"), open1 + "adopt " + d1 + "\nadopt edge.net.upf.v1\n"},
			{"again", nothing, open1}, {"published", approve(2), edit(d1, "v3", "packagevariant-2")},
		}},
		"deleted": {"drafts go, and what is published is proposed for deletion; then nothing is left to do", []step{
			{"declared", nothing, cloned}, {"deleted", remove, "Release: the PackageVariant is being deleted\nDelete " + d1 + "\n"},
			{"again", nothing, "Release: the PackageVariant is being deleted\n"},
		}},
		"deleted when published": {"likewise", []step{
			{"declared", nothing, cloned}, {"published", approve(1), edit(d1, "v3", "packagevariant-2")},
			{"deleted", remove, "Release: the PackageVariant is being deleted\nProposeDeletion " + d1 + "\n"}, {"again", nothing, "Release: the PackageVariant is being deleted\n"},
		}},
		"deleted, orphan": {"all stays and has no owner", []step{
			{"declared", spec(t, "deletionPolicy: orphan"), cloned}, {"deleted", remove, "Release: the PackageVariant is being deleted\nOrphan " + d1 + "\n"},
			{"again", nothing, "Release: the PackageVariant is being deleted\n"},
		}},
		"moved": {"the old package goes as if the variant were deleted, and the new one comes", []step{
			{"declared", nothing, cloned}, {"published", approve(1), edit(d1, "v3", "packagevariant-2")},
			{"moved", spec(t, elsewhere), "CreateClone: there is no downstream yet\nProposeDeletion " + d1 + "\nworkspace packagevariant-1\n"},
			{"again", nothing, "UpdateDraft: downstream \"" + core + "\" is not published yet\ntarget " + core + "\n"},
		}},
		"moved, orphan": {"the old package stays and has no owner", []step{
			{"declared", nothing, cloned},
			{"moved", spec(t, elsewhere, "deletionPolicy: orphan"), "CreateClone: there is no downstream yet\nOrphan " + d1 + "\nworkspace packagevariant-1\n"},
			{"again", nothing, "UpdateDraft: downstream \"" + core + "\" is not published yet\ntarget " + core + "\n"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := &life{pv: newVariant(t), state: variant.State{Upstream: upstreams()}}
			for _, s := range tc.steps {
				s.do(l)
				l.plan = variant.Decide(l.pv, l.state)
				if diff := cmp.Diff(s.want, summary(l.plan)); diff != "" {
					t.Fatalf("%s: %s (-want +got):\n%s", tc.reason, s.does, diff)
				}
				checkPlanLaws(t, l.pv, l.state, l.plan)
				l.state = carryOut(l.pv, l.state, l.plan)
			}
		})
	}
}
