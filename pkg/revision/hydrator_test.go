package revision_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// locked is a Kptfile that records a commit, if there is one.
func locked(commit string) map[string]string {
	text := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n"
	if commit != "" {
		text += "upstreamLock:\n  type: git\n  git:\n    repo: https://git.example/blueprints.git\n    directory: upf\n    ref: upf/v1\n    commit: " + commit + "\n"
	}
	return map[string]string{"Kptfile": text}
}

// TestHydratorFile holds what approvals say of the commit that a branch was rendered from.
func TestHydratorFile(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	said := func(sha string) string {
		return "{\n  \"drySha\": \"" + sha + "\",\n  \"repoURL\": \"https://git.example/blueprints.git\"\n}"
	}
	cases := map[string]struct {
		reason  string
		off     bool
		there   map[string]string // on the branch
		commits []string          // of what is approved, one after another
		want    string            // in the file; "" where there is none
		err     string
	}{
		"Off":       {reason: "nobody asked", off: true, commits: []string{one}},
		"Cloned":    {reason: "it was made of a commit", commits: []string{one}, want: said(one)},
		"Upgraded":  {reason: "the newest counts", commits: []string{one, two}, want: said(two)},
		"Own":       {reason: "a package of nobody's making says nothing", commits: []string{""}},
		"Stays":     {reason: "and leaves what was said", commits: []string{one, ""}, want: said(one)},
		"Replaced":  {reason: "whoever wrote it", there: map[string]string{revision.HydratorFile: "{}"}, commits: []string{one}, want: said(one)},
		"Directory": {reason: "a directory of that name is somebody's", there: map[string]string{revision.HydratorFile + "/a": ""}, commits: []string{one}, err: "is a directory"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := revision.Config{HydratorMetadata: !tc.off}
			dir := gittest.NewBare(t)
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(tc.there)})
			s := openStore(t, dir, cfg)
			var err error
			for i, commit := range tc.commits {
				req := cloneRequest(t)
				req.Package, req.Content = []string{"a/upf", "b/upf"}[i], content(t, locked(commit))
				rev := must(t)(s.Propose(ctx, must(t)(s.CreateDraft(ctx, req))))
				_, err = s.Approve(ctx, rev, later(9))
			}
			if tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
			}
			got := ""
			if err == nil && gittest.Git(t, dir, "ls-tree", "main", revision.HydratorFile) != "" {
				got = gittest.Git(t, dir, "show", "main:"+revision.HydratorFile)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkLaws(t, dir, s, cfg)
		})
	}
}
