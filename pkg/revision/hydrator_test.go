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

// locked is a Kptfile with a lock: what is a commit and, after a space, a ref, which is that of the first revision by
// default. Without a commit there is no lock.
func locked(what string) map[string]string {
	commit, ref, _ := strings.Cut(what, " ")
	text := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n"
	if commit != "" {
		text += "upstreamLock:\n  type: git\n  git:\n    repo: https://git.example/blueprints.git\n    directory: upf\n    ref: " + cmp.Or(ref, "upf/v1") + "\n    commit: " + commit + "\n"
	}
	return map[string]string{"Kptfile": text}
}

// TestHydratorFile checks the file in which approvals write the commit from which the branch was rendered.
func TestHydratorFile(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	hydrator := func(sha string) string {
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
		"Off":       {reason: "the option is off", off: true, commits: []string{one}},
		"Cloned":    {reason: "the package was made from a commit", commits: []string{one}, want: hydrator(one)},
		"Upgraded":  {reason: "the newest commit counts", commits: []string{one, two}, want: hydrator(two)},
		"Older":     {reason: "another package was made from a newer revision", commits: []string{two + " upf/v10", one + " upf/v9"}, want: hydrator(two)},
		"Newer":     {reason: "revisions are compared as numbers", commits: []string{one + " upf/v9", two + " refs/tags/upf/v10"}, want: hydrator(two)},
		"Three":     {reason: "the newest of three counts", commits: []string{one, two + " upf/v3", one + " upf/v2"}, want: hydrator(two)},
		"Another":   {reason: "revisions of two packages cannot be compared", commits: []string{two + " upf/v2", one + " amf/v1"}, want: hydrator(one)},
		"Branch":    {reason: "a branch cannot be compared", commits: []string{two + " upf/v2", one + " main"}, want: hydrator(one)},
		"Back":      {reason: "only the current revision of each package counts", commits: []string{two + " upf/v2", one + " upf/v1"}, again: true, want: hydrator(one)},
		"Own":       {reason: "a package without an upstream writes no file", commits: []string{""}},
		"Stays":     {reason: "a package without an upstream does not change the file", commits: []string{one, ""}, want: hydrator(one)},
		"Replaced":  {reason: "a file of a user is replaced", there: map[string]string{revision.HydratorFile: "{}"}, commits: []string{one}, want: hydrator(one)},
		"Directory": {reason: "a directory of that name belongs to a user", there: map[string]string{revision.HydratorFile + "/a": ""}, commits: []string{one}, err: "is a directory"},
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
