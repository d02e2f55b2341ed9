package variant_test

import (
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// TestDraftUpstream follows an upstream that begins as a draft of workspace "next".
func TestDraftUpstream(t *testing.T) {
	at := func(ref, commit string) func(*variant.Revision) {
		return lock(func(l *kptfilev1.GitLock) { l.Ref, l.Commit = ref, commit })
	}
	upstream := func(lifecycle porch.Lifecycle, number int, ref, commit, approved string) variant.Revision {
		r := variant.Revision{Name: "blueprints.upf.next", Repo: "blueprints", Package: "upf", Workspace: "next", Lifecycle: lifecycle, Number: number, Self: lockOf(1), Approved: approved}
		r.Self.Ref, r.Self.Commit = ref, commit
		return r
	}
	draft, proposal := upstream(porch.Draft, 0, "drafts/upf/next", "d1", ""), upstream(porch.Proposed, 0, "proposed/upf/next", "d1", "")
	approved := upstream(porch.Published, 4, "upf/v4", "m1", "d1")
	const (
		keeps   = "UpdateDraft: downstream \"edge.net.upf.a\" is not published yet\ntarget edge.net.upf.a\n"
		behind  = "Blocked: cannot update upstream of downstream \"edge.net.upf.a\" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate\n"
		follows = "EditFromPublished: downstream \"edge.net.upf.a\" follows upstream \"blueprints.upf.next\"\ntarget edge.net.upf.a\nworkspace packagevariant-1\n"
	)
	for name, tc := range map[string]struct {
		reason string
		up     variant.Revision
		down   variant.Revision
		want   string
	}{
		"draft":              {"nothing moved", draft, down("a", 0, at("drafts/upf/next", "d1")), keeps},
		"proposed":           {"a proposal is the same commit on another branch", proposal, down("a", 0, at("drafts/upf/next", "d1")), keeps},
		"rejected":           {"and back", draft, down("a", 0, at("proposed/upf/next", "d1")), keeps},
		"proposed at once":   {"what was made of a proposal is not out of date", proposal, down("a", 0, at("proposed/upf/next", "d1")), keeps},
		"edited":             {"a new commit is a new upstream", draft, down("a", 0, at("drafts/upf/next", "d0")), behind},
		"another workspace":  {"so is another draft, even at the same commit", proposal, down("a", 0, at("drafts/upf/other", "d1")), behind},
		"approved":           {"an approval publishes the same package", approved, down("a", 0, at("drafts/upf/next", "d1")), keeps},
		"approved proposal":  {"so it does for one made of a proposal", approved, down("a", 0, at("proposed/upf/next", "d1")), keeps},
		"edited, approved":   {"the approval is of another commit", approved, down("a", 0, at("drafts/upf/next", "d0")), behind},
		"published":          {"what is published follows the proposal", proposal, down("a", 1, at("drafts/upf/next", "d1")), follows},
		"published, edited":  {"there is nothing published to go to", draft, down("a", 1, at("drafts/upf/next", "d0")), "Blocked: could not find upstream package revision 'upf/next' in repo 'blueprints'\ntarget edge.net.upf.a\n"},
		"published, tag":     {"a package in a folder of the name proposed has tags that look like branches of proposals", upstream(porch.Published, 4, "proposed/upf/v4", "m1", ""), down("a", 1, at("proposed/upf/v4", "m1"), lock(func(l *kptfilev1.GitLock) { l.Directory = "proposed/upf" })), follows},
		"published of draft": {"the lock follows the approval, from the commit that it names", approved, down("a", 1, at("drafts/upf/next", "d0")), "UpgradeFromPublished: upstream moved from \"drafts/upf/next\" to \"blueprints.upf.next\"\nold drafts/upf/next\ntarget edge.net.upf.a\nworkspace packagevariant-1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "published, tag" {
				tc.up.Self.Directory = "proposed/upf"
			}
			pv := newVariant(t, "upstream: {repo: blueprints, package: upf, workspaceName: next}")
			checkDecide(t, pv, variant.State{Upstream: []variant.Revision{tc.up}, Downstream: []variant.Revision{tc.down}, Repositories: []string{"edge"}}, tc.reason, tc.want)
		})
	}
}
