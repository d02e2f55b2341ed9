package variant_test

import (
	"slices"
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/variant"
)

func TestFollow(t *testing.T) {
	const one, next = "target edge.net.upf.packagevariant-1\n", "workspace packagevariant-2\n"
	const nothing = "UpstreamMissing: no published revision of package \"upf\" in repo \"blueprints\" fits spec.upstream.follow "
	follows := func(up string) string {
		return "EditFromPublished: downstream \"edge.net.upf.packagevariant-1\" follows upstream \"" + up + "\"\n" + one + next
	}
	upgrade := func(from, to string) string {
		return "UpgradeFromPublished: upstream moved from \"blueprints.upf." + from + "\" to \"blueprints.upf." + to + "\"\nold blueprints.upf." + from + "\n" + one + next
	}
	withdrawn := published(3)
	withdrawn.Lifecycle = porch.DeletionProposed
	stranger := published(7)
	stranger.Package = "other"
	madeOf := func(n int) []variant.Revision { return []variant.Revision{down("packagevariant-1", 1, from(n))} }
	for name, tc := range map[string]struct {
		reason string
		follow string
		up     []variant.Revision // upstreams() when nil
		down   []variant.Revision
		want   string
	}{
		"latest":        {reason: "the highest there is, not the placeholder, a draft or another package's", follow: "latest", up: append(upstreams(), stranger), down: madeOf(2), want: upgrade("v2", "v3")},
		"latest is had": {reason: "until there is a higher one nothing happens", follow: "latest", down: madeOf(3), want: follows("blueprints.upf.v3")},
		"fresh":         {reason: "a clone starts where an upgrade would go", follow: "<3", want: "CreateClone: there is no downstream yet\nworkspace packagevariant-1\n"},
		"tilde":         {reason: "revision n is version n.0.0, so that this is one revision", follow: "~2", down: madeOf(1), want: upgrade("v1", "v2")},
		"range":         {reason: "the highest within", follow: ">=1 <3", down: madeOf(1), want: upgrade("v1", "v2")},
		"any":           {reason: "as latest", follow: "*", down: madeOf(2), want: upgrade("v2", "v3")},
		"narrowed": {
			reason: "who narrows the range asks to go back", follow: "<3", down: madeOf(3), want: upgrade("v3", "v2"),
		},
		"newest is gone": {
			reason: "what was newest and is gone is no reason to go back", follow: "latest", up: upstreams()[:2], down: madeOf(3), want: follows("upf/v3"),
		},
		"newest is gone, draft": {
			reason: "nor is it for a draft", follow: "latest", up: upstreams()[:2], down: []variant.Revision{down("packagevariant-1", 1, from(2)), down("packagevariant-2", 0)},
			want: "UpdateDraft: downstream \"edge.net.upf.packagevariant-2\" is not published yet\ntarget edge.net.upf.packagevariant-2\n",
		},
		"newest is gone, Porch's lock": {
			reason: "such a lock leaves the repository's directory out", follow: "latest",
			up: []variant.Revision{func() variant.Revision { r := published(2); r.Self.Directory = "blueprints/upf"; return r }()}, down: madeOf(3), want: follows("upf/v3"),
		},
		"gone from a narrowed range": {
			reason: "gone or not, it is out of the range", follow: "<3", up: []variant.Revision{published(1), published(2)}, down: madeOf(3),
			want: strings.ReplaceAll(upgrade("v3", "v2"), "blueprints.upf.v3", "upf/v3"),
		},
		"withdrawn": {
			reason: "no downstream moves to a revision that is proposed for deletion", follow: "latest", up: []variant.Revision{published(1), published(2), withdrawn}, down: madeOf(1), want: upgrade("v1", "v2"),
		},
		"withdrawn and in use": {
			reason: "but who has it stays", follow: "latest", up: []variant.Revision{published(1), published(2), withdrawn}, down: madeOf(3), want: follows("blueprints.upf.v3"),
		},
		"newer than withdrawn": {
			reason: "until there is a newer one", follow: "latest", up: []variant.Revision{published(2), withdrawn, published(4)}, down: madeOf(3), want: upgrade("v3", "v4"),
		},
		"published again": {
			reason: "a number that is given again is another revision", follow: "latest", up: []variant.Revision{published(2), published(3)},
			down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Commit = "first" }))}, want: upgrade("v3", "v3"),
		},
		"came from elsewhere": {
			reason: "a number of another package says nothing about this one", follow: "latest", up: []variant.Revision{published(1), published(2)},
			down: []variant.Revision{down("packagevariant-1", 1, lock(func(l *kptfilev1.GitLock) { l.Repo, l.Ref = "https://git.example/other.git", "upf/v2" }))}, want: strings.ReplaceAll(upgrade("v3", "v2"), "blueprints.upf.v3", "upf/v2"),
		},
		"no lock":       {reason: "what was made of nothing known stays, as without follow", follow: "latest", down: []variant.Revision{down("packagevariant-1", 1, noLock)}, want: follows("blueprints.upf.v3")},
		"draft behind":  {reason: "an open draft waits, as without follow", follow: "latest", down: []variant.Revision{down("packagevariant-1", 0, from(2))}, want: "Blocked: cannot update upstream of downstream \"edge.net.upf.packagevariant-1\" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate\n"},
		"nothing fits":  {reason: "what there is, newest first", follow: ">=9", down: madeOf(3), want: nothing + "\">=9\": there is v3, v2, v1\n"},
		"all withdrawn": {reason: "the reason is reported", follow: "3", up: []variant.Revision{withdrawn}, want: nothing + "\"3\": there is v3 (proposed for deletion)\n"},
		"only drafts":   {reason: "drafts are not followed", follow: "latest", up: upstreams()[3:], want: nothing + "\"latest\": none is published\n"},
		"very many": {
			reason: "a message has an end", follow: ">99", up: func() (up []variant.Revision) {
				for n := range 12 {
					up = append(up, published(n+1))
				}
				return up
			}(),
			want: nothing + "\">99\": there is v12, v11, v10, v9, v8, v7, v6, v5, v4, v3, and 2 older\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pv := newVariant(t, "upstream: {repo: blueprints, package: upf, follow: \""+tc.follow+"\"}")
			up := tc.up
			if up == nil {
				up = upstreams()
			}
			plan := checkDecide(t, pv, variant.State{Upstream: up, Downstream: tc.down}, tc.reason, tc.want)
			if u := plan.Upstream; u != nil && u.Name != "" && !slices.ContainsFunc(up, func(r variant.Revision) bool { return r.Name == u.Name }) {
				t.Errorf("upstream %s does not exist", u.Name)
			}
		})
	}
}
