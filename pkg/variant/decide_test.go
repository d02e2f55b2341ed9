package variant_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/variant"
)

func TestDecide(t *testing.T) {
	const cloned = "CreateClone: there is no downstream yet\nworkspace packagevariant-1\n"
	follows := func(name string) string {
		return `EditFromPublished: downstream "edge.net.upf.` + name + `" follows upstream "blueprints.upf.v3"` + "\ntarget edge.net.upf." + name + "\n"
	}
	reached := map[string]bool{}
	for name, tc := range map[string]struct {
		reason   string
		spec     []string
		deleting bool
		released bool               // PackageVariant fleet/other lets its packages go
		up, down []variant.Revision // up is by default upstreams()
		reserved []string
		want     string
	}{
		"invalid":     {reason: "the messages of validation", spec: []string{"downstream: {repo: edge}"}, want: "Invalid: missing required field spec.downstream.package\n"},
		"by revision": {reason: "the number counts", spec: []string{"upstream: {repo: blueprints, package: upf, revision: 2}"}, want: cloned},
		"by both":     {reason: "both name the same", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: v2, revision: 2}"}, want: cloned},
		"both disagree": {
			reason: "both must name the same", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: v2, revision: 3}"},
			want: "UpstreamMissing: spec.upstream.workspaceName \"v2\" is revision 2 of package \"upf\", but spec.upstream.revision is 3\n",
		},
		"neither": {
			reason: "the placeholder cannot be cloned", spec: []string{"upstream: {repo: blueprints, package: upf}"},
			want: "UpstreamMissing: spec.upstream must give workspaceName or revision: the placeholder revision of package \"upf\" in repo \"blueprints\" cannot be cloned\n",
		},
		"placeholder by name": {
			reason: "nor by its workspace", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: main}"},
			want: "UpstreamMissing: upstream package revision \"blueprints.upf.main\" is the placeholder of its branch (revision -1), which cannot be cloned\n",
		},
		"no such workspace": {reason: "Porch's words", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: v9}"}, want: "UpstreamMissing: could not find upstream package revision 'upf/v9' in repo 'blueprints'\n"},
		"no such revision":  {reason: "likewise for a number", spec: []string{"upstream: {repo: blueprints, package: upf, revision: 9}"}, want: "UpstreamMissing: could not find upstream package revision 'upf/v9' in repo 'blueprints'\n"},
		"draft upstream":    {reason: "a workspace may be of any lifecycle", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: next}"}, want: cloned},
		"fresh":             {reason: "nothing is there", want: cloned},
		"reserved": {
			reason: "what is not listed may be there", reserved: []string{"packagevariant-2", "packagevariant-1", "theirs"},
			want: "CreateClone: there is no downstream yet\nworkspace packagevariant-3\n",
		},
		"draft": {
			reason: "an open draft is the target, published ones are not", down: []variant.Revision{down("packagevariant-1", 1), down("packagevariant-2", 0)},
			want: "UpdateDraft: downstream \"edge.net.upf.packagevariant-2\" is not published yet\ntarget edge.net.upf.packagevariant-2\n",
		},
		"drafts and proposals": {
			reason: "all of them are targets", down: []variant.Revision{down("a", 0), down("b", 0, in(porch.Proposed))},
			want: "UpdateDraft: downstream \"edge.net.upf.a\" is not published yet\ntarget edge.net.upf.a\ntarget edge.net.upf.b\n",
		},
		"draft is behind": {
			reason: "Porch's words", down: []variant.Revision{down("packagevariant-1", 0, from(2))},
			want: "Blocked: cannot update upstream of downstream \"edge.net.upf.packagevariant-1\" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate\n",
		},
		"published": {
			reason: "the highest is the target; the workspace is one above the highest in use",
			down: []variant.Revision{
				down("packagevariant-1", 1), down("packagevariant-10", 11), down("packagevariant-9", 9), down("packagevariant-x", 3),
				down("packagevariant-44", 0, elsewhere, owner("")),
			},
			want: follows("packagevariant-10") + "workspace packagevariant-11\n",
		},
		"no lock": {reason: "nothing to compare is up to date", down: []variant.Revision{down("packagevariant-1", 1, noLock)}, want: follows("packagevariant-1") + "workspace packagevariant-2\n"},
		"proposed for deletion": {
			reason: "that is undone", down: []variant.Revision{down("packagevariant-1", 1, in(porch.DeletionProposed))},
			want: follows("packagevariant-1") + "restore\nworkspace packagevariant-2\n",
		},
		"upstream moved": {
			reason: "upstream moved on from a published downstream", down: []variant.Revision{down("packagevariant-1", 1, from(1))},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v1\" to \"blueprints.upf.v3\"\nold blueprints.upf.v1\ntarget edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"upstream moved, and another owner published": {
			reason: "the variant goes on from its own, and the highest of what is not its own is reported",
			down: []variant.Revision{
				down("packagevariant-1", 1, from(1)), down("a", 2, owner("")), down("b", 3, owner("PackageVariant fleet/other")), down("c", 0, owner("")),
			},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v1\" to \"blueprints.upf.v3\"\nold blueprints.upf.v1\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\nnewer edge.net.upf.b\n",
		},
		"another owner published before": {
			reason: "what is older than its own says nothing", down: []variant.Revision{down("v1", 1, owner("")), down("packagevariant-1", 2)},
			want: follows("packagevariant-1") + "workspace packagevariant-2\n",
		},
		"moved back": {
			reason: "a downgrade is an upgrade", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: v1}"}, down: []variant.Revision{down("packagevariant-1", 1)},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v3\" to \"blueprints.upf.v1\"\nold blueprints.upf.v3\ntarget edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"other repository": {
			reason: "the number alone is not enough", down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Repo = "https://git.example/other" }))},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v3\" to \"blueprints.upf.v3\"\nold blueprints.upf.v3\ntarget edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"other directory": {
			reason: "nor is the repository; no Repository lists what it was made of", down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Directory = "core" }))},
			want: "UpgradeFromPublished: upstream moved from \"upf/v3\" to \"blueprints.upf.v3\"\nold upf/v3\ntarget edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"other commit": {
			reason: "a tag that was moved is another upstream", down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Commit = "old" }))},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v3\" to \"blueprints.upf.v3\"\nold blueprints.upf.v3\ntarget edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"moved tag": {
			reason: "in a registry, that is an error: see TestMovedTag", up: registry(), down: []variant.Revision{down("packagevariant-1", 1, of("v3", "old"))},
			want: movedV3,
		},
		"other spelling": {
			reason: "a missing .git and slashes around the directory mean nothing", down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Repo, l.Directory = "https://git.example/b", "/upf/" }))},
			want: follows("packagevariant-1") + "workspace packagevariant-2\n",
		},
		"made of a draft": {
			reason: "such a lock is never up to date, and there is nothing published to start the merge from",
			down:   []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Ref = "drafts/upf/next" }))},
			want:   "Blocked: could not find upstream package revision 'upf/next' in repo 'blueprints'\ntarget edge.net.upf.packagevariant-1\n",
		},
		"revision 0": {
			reason: "Porch's words", down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Ref = "upf/v0" }))},
			want: "Blocked: upstream cannot be published with revision number 0\ntarget edge.net.upf.packagevariant-1\n",
		},
		"another user's": {
			reason: "a clone into an existing package is refused", down: []variant.Revision{down("v1", 1, owner(""))},
			want: "Blocked: downstream package \"net/upf\" exists already in repo \"edge\" (revision \"edge.net.upf.v1\"): spec.adoptionPolicy \"adoptExisting\" takes it over\n",
		},
		"another variant's": {
			reason: "what another variant owns is not adopted", spec: []string{"adoptionPolicy: adoptExisting"}, down: []variant.Revision{down("v1", 1, owner("PackageVariant fleet/other"))},
			want: "Blocked: downstream package \"net/upf\" exists already in repo \"edge\" (revision \"edge.net.upf.v1\"): it belongs to PackageVariant fleet/other; to take it over, delete that variant with spec.deletionPolicy \"orphan\" (in files, keep it and give it a metadata.deletionTimestamp), and set spec.adoptionPolicy \"adoptExisting\" here\n",
		},
		"a variant's that is gone": {
			reason: "no owner wants it", spec: []string{"adoptionPolicy: adoptExisting"}, released: true, down: []variant.Revision{down("v1", 1, owner("PackageVariant fleet/other"))},
			want: follows("v1") + "adopt edge.net.upf.v1\nworkspace packagevariant-1\n",
		},
		"a variant's that is gone, not asked for": {
			reason: "without adoptExisting nothing is taken", released: true, down: []variant.Revision{down("v1", 1, owner("PackageVariant fleet/other"))},
			want: "Blocked: downstream package \"net/upf\" exists already in repo \"edge\" (revision \"edge.net.upf.v1\"): it belongs to PackageVariant fleet/other, which does not want it any more; spec.adoptionPolicy \"adoptExisting\" takes it over\n",
		},
		"only on main": {
			reason: "content without a revision is in the way and cannot be adopted", spec: []string{"adoptionPolicy: adoptExisting"}, down: []variant.Revision{down("main", -1, owner(""))},
			want: "Blocked: downstream package \"net/upf\" exists already in repo \"edge\" (revision \"edge.net.upf.main\"): it is on the main branch and is no revision; make it one with the Git tag \"net/upf/v1\", or delete it there\n",
		},
		"adopted": {
			reason: "all revisions of the package are adopted, and the draft among them is the target", spec: []string{"adoptionPolicy: adoptExisting"},
			down: []variant.Revision{down("v1", 1, owner("")), down("v2", 0, owner("")), down("main", -1, owner(""))},
			want: "UpdateDraft: downstream \"edge.net.upf.v2\" is not published yet\ntarget edge.net.upf.v2\nadopt edge.net.upf.v1\nadopt edge.net.upf.v2\n",
		},
		"downstream moved": {
			reason: "the old package's revisions are retired, each as its lifecycle allows",
			down:   []variant.Revision{down("a", 0, elsewhere), down("b", 0, elsewhere, in(porch.Proposed)), down("c", 1, elsewhere), down("d", 2, elsewhere, in(porch.DeletionProposed)), down("e", 3, elsewhere, owner(""))},
			want:   "CreateClone: there is no downstream yet\nDelete edge.old.a\nDelete edge.old.b\nProposeDeletion edge.old.c\nworkspace packagevariant-1\n",
		},
		"downstream moved, orphan": {
			reason: "they are let go", spec: []string{"deletionPolicy: orphan"}, down: []variant.Revision{down("a", 0, elsewhere), down("c", 1, elsewhere)},
			want: "CreateClone: there is no downstream yet\nOrphan edge.old.a\nOrphan edge.old.c\nworkspace packagevariant-1\n",
		},
		"edited draft": {
			reason: "a draft that is to go holds commits by others: it stays, and so does all else", down: []variant.Revision{down("a", 0, elsewhere, foreign), down("c", 1, elsewhere)},
			want: "EditedDraft: edge.old.a is Draft, is no longer wanted and holds commits by others up to : it is kept, and nothing is changed until it is published or deleted, or --delete-edited-drafts is given\nkept edge.old.a: it holds commits by others\n",
		},
		"edited draft, orphan": {
			reason: "it stays anyway", spec: []string{"deletionPolicy: orphan"}, down: []variant.Revision{down("a", 0, elsewhere, foreign)},
			want: "CreateClone: there is no downstream yet\nOrphan edge.old.a\nworkspace packagevariant-1\n",
		},
		"edited draft, deleted": {
			reason: "nor does it go with its variant", deleting: true, down: []variant.Revision{down("a", 0, in(porch.Proposed), foreign), down("c", 1)},
			want: "EditedDraft: edge.net.upf.a is Proposed, is no longer wanted and holds commits by others up to : it is kept, and nothing is changed until it is published or deleted, or --delete-edited-drafts is given\nkept edge.net.upf.a: it holds commits by others\n",
		},
		"another Repository's": {
			reason: "what was made through another Repository is not this one's to retire", down: []variant.Revision{down("a", 0, elsewhere, through("core")), down("b", 1, elsewhere, through("edge"))},
			want: "CreateClone: there is no downstream yet\nProposeDeletion edge.old.b\nworkspace packagevariant-1\n",
		},
		"a lost Repository's": {
			reason: "nor is what was made through one that was deleted, and that is reported", down: []variant.Revision{down("a", 0, elsewhere, through("lost"))},
			want: "CreateClone: there is no downstream yet\nworkspace packagevariant-1\nkept edge.old.a: it was made through Repository \"lost\", which does not exist\n",
		},
		"another set's": {
			reason: "a name alone makes no owner", down: []variant.Revision{down("a", 1, elsewhere, func(r *variant.Revision) { r.Set = "fleet/shops" })},
			want: "CreateClone: there is no downstream yet\nworkspace packagevariant-1\n" +
				"kept edge.old.a: it was made for a variant of this name of PackageVariantSet \"fleet/shops\"\n",
		},
		"deleted by a misspelt policy": {
			reason: "what is not delete must not delete", deleting: true, spec: []string{"deletionPolicy: Orphan"}, down: []variant.Revision{down("a", 0), down("b", 1)},
			want: "Invalid: spec.deletionPolicy can only be \"orphan\" or \"delete\"\n",
		},
		"shown twice": {
			reason: "a revision of the wanted package that another Repository shows is wanted, and a mirror's copy is reported", down: []variant.Revision{down("a", 0, through("core"), placed), inCore(down("a", 0, through("core")))},
			want: "UpdateDraft: downstream \"edge.net.upf.a\" is not published yet\ntarget edge.net.upf.a\n" +
				"kept core.net.upf.a: edge.net.upf.a is wanted, and is the same commit on a branch or tag of the same name\n",
		},
		"deleted": {
			reason: "all that is ours is retired, wherever, even if the spec is wrong", deleting: true, spec: []string{"upstream: {}"},
			down: []variant.Revision{down("a", 0), down("b", 1), down("c", 1, elsewhere), down("d", 2, owner("")), down("main", -1)},
			want: "Release: the PackageVariant is being deleted\nDelete edge.net.upf.a\nProposeDeletion edge.net.upf.b\nProposeDeletion edge.old.c\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pv := newVariant(t, tc.spec...)
			if tc.deleting {
				pv.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			}
			if tc.up == nil {
				tc.up = upstreams()
			}
			plan := checkDecide(t, pv, variant.State{Upstream: tc.up, Downstream: tc.down, Reserved: tc.reserved,
				Repositories: []string{"core", "edge"}, Released: map[string]bool{"PackageVariant fleet/other": tc.released}}, tc.reason, tc.want)
			reached[plan.Rule] = true
		})
	}
	if diff := cmp.Diff(variant.RuleNames(), slices.Sorted(maps.Keys(reached))); diff != "" {
		t.Errorf("every rule has a case (-rules +reached):\n%s", diff)
	}
}
