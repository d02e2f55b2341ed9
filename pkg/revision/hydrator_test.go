package revision_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// locked is a Kptfile that records a commit, if there is one, under the ref behind a blank, or else under that of a first
// revision.
func locked(what string) map[string]string {
	commit, ref, _ := strings.Cut(what, " ")
	text := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n"
	if commit != "" {
		text += "upstreamLock:\n  type: git\n  git:\n    repo: https://git.example/blueprints.git\n    directory: upf\n    ref: " + cmp.Or(ref, "upf/v1") + "\n    commit: " + commit + "\n"
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
		again   bool              // the same package every time
		there   map[string]string // on the branch
		commits []string          // of what is approved, one after another
		want    string            // in the file; "" where there is none
		err     string
	}{
		"Off":       {reason: "nobody asked", off: true, commits: []string{one}},
		"Cloned":    {reason: "it was made of a commit", commits: []string{one}, want: said(one)},
		"Upgraded":  {reason: "the newest counts", commits: []string{one, two}, want: said(two)},
		"Older":     {reason: "what another package was made of is newer", commits: []string{two + " upf/v10", one + " upf/v9"}, want: said(two)},
		"Newer":     {reason: "numbers count, not texts", commits: []string{one + " upf/v9", two + " refs/tags/upf/v10"}, want: said(two)},
		"Three":     {reason: "whichever package it is", commits: []string{one, two + " upf/v3", one + " upf/v2"}, want: said(two)},
		"Another":   {reason: "revisions of two packages cannot be compared", commits: []string{two + " upf/v2", one + " amf/v1"}, want: said(one)},
		"Branch":    {reason: "nor a branch with anything", commits: []string{two + " upf/v2", one + " main"}, want: said(one)},
		"Back":      {reason: "the branch is rendered from what its packages are made of now", commits: []string{two + " upf/v2", one + " upf/v1"}, again: true, want: said(one)},
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
				req.Package, req.Content, req.Workspace = []string{"a/upf", "b/upf", "c/upf"}[i], content(t, locked(commit)), fmt.Sprintf("w%d", i)
				if tc.again && i > 0 {
					req.Package, req.Task = "a/upf", porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.a.upf.w0"}}}
				}
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
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkLaws(t, dir, s, cfg)
		})
	}
}
