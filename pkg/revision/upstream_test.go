package revision_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// lockedTo is a package whose Kptfile has this lock.
func lockedTo(repo, dir, ref string) string {
	return "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\nupstreamLock:\n  type: git\n  git:\n    repo: " + repo +
		"\n    directory: " + dir + "\n    ref: " + ref + "\n    commit: 4f6c3b9d2e1f0a4f6c3b9d2e1f0a4f6c3b9d2e1f\n"
}

// TestDependent finds what was made from revision 1 of a blueprint, below the folder blue.
func TestDependent(t *testing.T) {
	named := func(name string) *porch.Task {
		return &porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{Upstream: porch.UpstreamPackage{UpstreamRef: &porch.PackageRevisionRef{Name: name}}}}
	}
	for name, tc := range map[string]struct {
		reason  string
		task    *porch.Task // of the draft that may depend on it
		kptfile string      // URL stands for the address of the blueprints
		other   bool        // the draft is in another namespace
		want    bool
	}{
		"lock":               {reason: "a lock names repository, directory and ref", kptfile: lockedTo("URL", "blue/upf", "blue/upf/v1"), want: true},
		"lock, .git":         {reason: "Porch writes the address with .git", kptfile: lockedTo("URL.git", "blue/upf", "blue/upf/v1"), want: true},
		"lock, no directory": {reason: "Porch leaves out the repository's directory", kptfile: lockedTo("URL", "upf", "blue/upf/v1"), want: true},
		"lock, slash":        {reason: "a slash at the end, and the full name of the tag", kptfile: lockedTo("URL/", "/blue/upf", "refs/tags/blue/upf/v1"), want: true},
		"lock elsewhere":     {reason: "a lock counts in every namespace", kptfile: lockedTo("URL", "blue/upf", "blue/upf/v1"), other: true, want: true},
		"other revision":     {reason: "another revision is another upstream", kptfile: lockedTo("URL", "blue/upf", "blue/upf/v2")},
		"other repository":   {reason: "another repository is another upstream", kptfile: lockedTo("URL/fork", "blue/upf", "blue/upf/v1")},
		"other package":      {reason: "another package is another upstream", kptfile: lockedTo("URL", "blue/smf", "blue/upf/v1")},
		"the branch":         {reason: "a package from the branch was not made from the tag", kptfile: lockedTo("URL", "blue/upf", "main")},
		"clone":              {reason: "a commit names the upstream of a clone", task: named("edge.upf.w1"), want: true},
		"upgrade":            {reason: "a commit names the revision of an upgrade", task: &porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{OldUpstream: porch.PackageRevisionRef{Name: "x"}, NewUpstream: porch.PackageRevisionRef{Name: "edge.upf.w1"}, LocalPackageRevision: porch.PackageRevisionRef{Name: "down.web.w0"}}}, want: true},
		"upgraded":           {reason: "the revision before an upgrade is no upstream any more", task: &porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{OldUpstream: porch.PackageRevisionRef{Name: "edge.upf.w1"}, NewUpstream: porch.PackageRevisionRef{Name: "x"}, LocalPackageRevision: porch.PackageRevisionRef{Name: "down.web.w0"}}}},
		"clone by name":      {reason: "a name counts in its namespace only", task: named("edge.upf.w1"), other: true},
		"nothing":            {reason: "a package without a lock has no upstream", kptfile: "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"},
		"unreadable":         {reason: "an invalid Kptfile names no upstream", kptfile: "upstreamLock: [\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, blueprints := newRepo(t, revision.Config{Directory: "blue"})
			upstream := revision.Known{Revision: publish(t, blueprints, initDraft(t, "upf", "w1")), Namespace: "fleet", Store: blueprints}
			_, edge := newRepo(t, revision.Config{Name: "down"})
			rev := must(t)(edge.CreateDraft(ctx, revision.DraftRequest{Package: "web", Workspace: "w",
				Content: content(t, map[string]string{"Kptfile": strings.ReplaceAll(tc.kptfile, "URL", strings.TrimSuffix(dir, ".git"))})}))
			rev.Task = tc.task
			draft := revision.Known{Revision: rev, Namespace: "fleet", Store: edge}
			if tc.other {
				draft.Namespace = "lab"
			}
			got, used := revision.Dependent(upstream, []revision.Known{upstream, draft})
			if used != tc.want || used && !strings.HasPrefix(got.Name, "down.") {
				t.Errorf("%s: got %v, %q", tc.reason, used, got.Name)
			}
		})
	}
}

// TestDependentAddress uses a lock with the address in the Repository object, which is not the
// one with which the repository was opened.
func TestDependentAddress(t *testing.T) {
	dir, blueprints := newRepo(t, revision.Config{Name: "blueprints"})
	upstream := revision.Known{Revision: publish(t, blueprints, initDraft(t, "upf", "w1")), Store: blueprints, URL: "../blueprints.git"}
	gittest.Commit(t, dir, gittest.Change{Branch: "drafts/web/w", Files: gittest.Files(map[string]string{"web/Kptfile": lockedTo("../blueprints", "upf", "upf/v1")})})
	if err := blueprints.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	var all []revision.Known
	for _, rev := range list(t, blueprints) {
		all = append(all, revision.Known{Revision: rev, Store: blueprints, URL: "../blueprints.git"})
	}
	if got, used := revision.Dependent(upstream, all); !used || got.Name != "blueprints.web.w" {
		t.Errorf("want the draft, got %v, %q", used, got.Name)
	}
}
