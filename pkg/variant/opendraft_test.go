package variant_test

import (
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/variant"
)

func foreign(r *variant.Revision) { r.Foreign = true }

func TestOpenDraft(t *testing.T) {
	const blocked = "Blocked: cannot update upstream of downstream \"edge.net.upf.packagevariant-2\" when it is not published"
	const target2 = "target edge.net.upf.packagevariant-2\n"
	one := down("packagevariant-1", 1, from(1))
	for name, tc := range map[string]struct {
		reason     string
		annotation string
		spec       []string
		down       []variant.Revision
		want       string
	}{
		"keep": {
			reason: "said or not, the draft is kept", annotation: "keep", down: []variant.Revision{one, down("packagevariant-2", 0, from(2))},
			want: blocked + ": publish or delete it, or set the annotation waybill.dev/open-draft: recreate\n",
		},
		"keep, foreign": {
			reason: "what would not help is not advised", annotation: "keep", down: []variant.Revision{one, down("packagevariant-2", 0, from(2), foreign)},
			want: blocked + ": it holds commits by others; publish or delete it\n",
		},
		"first draft": {
			reason: "without a published revision it is cloned again", annotation: "recreate", down: []variant.Revision{down("packagevariant-2", 0, from(2))},
			want: "CreateClone: there is no downstream yet\nDelete edge.net.upf.packagevariant-2\nworkspace packagevariant-3\n",
		},
		"upgrade draft": {
			reason: "the published revision is upgraded again, from what it was made of", annotation: "recreate", down: []variant.Revision{one, down("packagevariant-2", 0, from(2))},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v1\" to \"blueprints.upf.v3\"\nold blueprints.upf.v1\ntarget edge.net.upf.packagevariant-1\n" +
				"Delete edge.net.upf.packagevariant-2\nworkspace packagevariant-3\n",
		},
		"back to what is published": {
			reason: "a draft of an upstream that is no longer wanted goes, even if nothing has to take its place", annotation: "recreate",
			down: []variant.Revision{down("packagevariant-1", 1), down("packagevariant-2", 0, from(2))},
			want: "EditFromPublished: downstream \"edge.net.upf.packagevariant-1\" follows upstream \"blueprints.upf.v3\"\ntarget edge.net.upf.packagevariant-1\n" +
				"Delete edge.net.upf.packagevariant-2\nworkspace packagevariant-3\n",
		},
		"up to date": {
			reason: "a draft of the upstream of now is updated in place", annotation: "recreate", down: []variant.Revision{one, down("packagevariant-2", 0)},
			want: "UpdateDraft: downstream \"edge.net.upf.packagevariant-2\" is not published yet\n" + target2,
		},
		"stopped half way": {
			reason: "the successor stands and the draft is still there: only that is left to do", annotation: "recreate",
			down: []variant.Revision{down("packagevariant-2", 0, from(2)), down("packagevariant-3", 0)},
			want: "UpdateDraft: downstream \"edge.net.upf.packagevariant-3\" is not published yet\ntarget edge.net.upf.packagevariant-3\nDelete edge.net.upf.packagevariant-2\n",
		},
		"orphan": {
			reason: "an orphan of this package would be in the way of every later draft; with recreated drafts there is no such orphan", annotation: "recreate",
			spec: []string{"deletionPolicy: orphan"}, down: []variant.Revision{down("packagevariant-2", 0, from(2))},
			want: "CreateClone: there is no downstream yet\nDelete edge.net.upf.packagevariant-2\nworkspace packagevariant-3\n",
		},
		"proposed": {
			reason: "a user may be reviewing it", annotation: "recreate", down: []variant.Revision{one, down("packagevariant-2", 0, from(2), in(porch.Proposed))},
			want: blocked + ": it is Proposed; approve or reject it\n",
		},
		"foreign": {
			reason: "work of others is not thrown away", annotation: "recreate", down: []variant.Revision{one, down("packagevariant-2", 0, from(2), foreign)},
			want: blocked + ": it holds commits by others; publish or delete it\n",
		},
		"adopted": {
			reason: "nor what others made", annotation: "recreate", spec: []string{"adoptionPolicy: adoptExisting"}, down: []variant.Revision{down("packagevariant-2", 0, from(2), owner(""))},
			want: blocked + ": it was adopted, not made for this PackageVariant; publish or delete it\nadopt edge.net.upf.packagevariant-2\n",
		},
		"one must stay": {
			reason: "then all stay, and the message is about the one that is in the way", annotation: "recreate",
			down: []variant.Revision{down("a", 0, from(2)), down("packagevariant-2", 0, from(2), foreign)},
			want: blocked + ": it holds commits by others; publish or delete it\n",
		},
		"nothing to take its place": {
			reason: "a draft stays while the upgrade that is to follow it cannot be made", annotation: "recreate",
			down: []variant.Revision{down("packagevariant-1", 1, from(9), lock(func(l *kptfilev1.GitLock) { l.Commit = "" })), down("packagevariant-2", 0, from(2))},
			want: "Blocked: could not find upstream package revision 'upf/v9' in repo 'blueprints'\ntarget edge.net.upf.packagevariant-1\n",
		},
		"other": {
			reason: "a value that means nothing is not passed over", annotation: "update",
			want: "Invalid: metadata.annotations[\"waybill.dev/open-draft\"] can only be \"keep\" or \"recreate\"\n",
		},
		"other in a wrong spec": {
			reason: "all messages come at once", annotation: "update", spec: []string{"upstream: {repo: b}"},
			want: "Invalid: missing required field spec.upstream.package; metadata.annotations[\"waybill.dev/open-draft\"] can only be \"keep\" or \"recreate\"\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pv := newVariant(t, tc.spec...)
			pv.Annotations = map[string]string{variant.OpenDraftAnnotation: tc.annotation}
			checkDecide(t, pv, variant.State{Upstream: upstreams(), Downstream: tc.down}, tc.reason, tc.want)
		})
	}
}
