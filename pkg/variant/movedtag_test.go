package variant_test

import (
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/variant"
)

// tagged is where a tag of the upstream in a registry is.
func tagged(tag, digest string) kptfilev1.GitLock {
	return kptfilev1.GitLock{Repo: "oci://reg.example/base/upf", Ref: tag, Commit: "sha256:" + digest}
}

// registry are upstream revisions v1 and v3 in a registry, and a tag without a number.
func registry() []variant.Revision {
	first, third, other := published(1), published(3), published(-1)
	first.Self, third.Self, other.Self = tagged("v1", "1"), tagged("v3", "3"), tagged("1.2.3", "9")
	other.Name, other.Workspace = "blueprints.upf.1.2.3", "1.2.3"
	return []variant.Revision{first, third, other}
}

func of(tag, digest string) func(*variant.Revision) {
	return lock(func(l *kptfilev1.GitLock) { *l = tagged(tag, digest) })
}

const movedV3 = "Blocked: tag \"v3\" of oci://reg.example/base/upf was moved: \"edge.net.upf.packagevariant-1\" was made of sha256:old, " +
	"and the tag names sha256:3 now; a published revision must not change: publish the new files under a new number, push the old ones " +
	"again, or accept the new ones by the annotation waybill.dev/accept-digest: sha256:3\n"

func TestMovedTag(t *testing.T) {
	for name, tc := range map[string]struct {
		reason      string
		annotations map[string]string
		spec        []string
		down        []variant.Revision
		want        string
	}{
		"same": {
			reason: "the digest is the lock's", down: []variant.Revision{down("packagevariant-1", 1, of("v3", "3"))},
			want: "EditFromPublished: downstream \"edge.net.upf.packagevariant-1\" follows upstream \"blueprints.upf.v3\"\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"published": {
			reason: "what was published under a number must not change", down: []variant.Revision{down("packagevariant-1", 1, of("v3", "old"))},
			want: movedV3,
		},
		"draft": {
			reason: "nor does a draft take it", down: []variant.Revision{down("packagevariant-1", 0, of("v3", "old"))}, want: movedV3,
		},
		"draft to be recreated": {
			reason: "nor is a draft of it made in place of the other", down: []variant.Revision{down("packagevariant-1", 0, of("v3", "old"))},
			annotations: map[string]string{variant.OpenDraftAnnotation: variant.OpenDraftRecreate}, want: movedV3,
		},
		"accepted": {
			reason: "a user saw this digest", down: []variant.Revision{down("packagevariant-1", 1, of("v3", "old"))},
			annotations: map[string]string{variant.AcceptDigestAnnotation: "sha256:3"},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v3\" to \"blueprints.upf.v3\"\nold blueprints.upf.v3\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"another accepted": {
			reason: "a user saw another one", down: []variant.Revision{down("packagevariant-1", 1, of("v3", "old"))},
			annotations: map[string]string{variant.AcceptDigestAnnotation: "sha256:2"}, want: movedV3,
		},
		"a moved tag that is left behind": {
			reason: "a new number is an upgrade, from the files at the lock's digest", down: []variant.Revision{down("packagevariant-1", 1, of("v1", "old"))},
			want: "UpgradeFromPublished: upstream moved from \"blueprints.upf.v1\" to \"blueprints.upf.v3\"\nold blueprints.upf.v1\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"deleted tag": {
			reason: "the lock is enough to begin a merge", down: []variant.Revision{down("packagevariant-1", 1, of("v2", "2"))},
			want: "UpgradeFromPublished: upstream moved from \"v2\" to \"blueprints.upf.v3\"\nold v2\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"from Git": {
			reason: "the package moved to a registry", down: []variant.Revision{down("packagevariant-1", 1, from(3))},
			want: "UpgradeFromPublished: upstream moved from \"upf/v3\" to \"blueprints.upf.v3\"\nold upf/v3\n" +
				"target edge.net.upf.packagevariant-1\nworkspace packagevariant-2\n",
		},
		"no number": {
			reason: "a revision is a number", spec: []string{"upstream: {repo: blueprints, package: upf, workspaceName: 1.2.3}"},
			want: "UpstreamMissing: upstream package revision \"blueprints.upf.1.2.3\" has no number: revisions are the tags v1, v2 and so on; " +
				"give the artifact such a tag, too\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pv := newVariant(t, tc.spec...)
			pv.Annotations = tc.annotations
			checkDecide(t, pv, variant.State{Upstream: registry(), Downstream: tc.down, Repositories: []string{"edge"}}, tc.reason, tc.want)
		})
	}
}
