package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgSelect lists what fits.
func TestRpkgSelect(t *testing.T) {
	fleet := newRpkgFleet(t)
	runRpkg(t, fleet, "propose deployments.us.web.one")
	for name, tc := range map[string]struct {
		reason, args string
		want         string // names
		code         int
		says         string
	}{
		"all":        {reason: "no wish wants all", want: "deployments.base.main deployments.base.v1 deployments.eu.web.one deployments.us.web.one"},
		"package":    {reason: "by the whole path", args: "--package eu/web", want: "deployments.eu.web.one"},
		"part":       {reason: "and not by a part of it", args: "--package web", want: ""},
		"two":        {reason: "either of two", args: "--package eu/web --package us/web,x", want: "deployments.eu.web.one deployments.us.web.one"},
		"lifecycle":  {reason: "by stage of life", args: "--lifecycle Draft,Proposed", want: "deployments.eu.web.one deployments.us.web.one"},
		"both":       {reason: "both of two kinds", args: "--lifecycle Proposed --workspace one", want: "deployments.us.web.one"},
		"number":     {reason: "by number", args: "--revision 1", want: "deployments.base.v1"},
		"v":          {reason: "as it stands in the tag", args: "--revision v1", want: "deployments.base.v1"},
		"main":       {reason: "or the main branch's", args: "--revision=-1", want: "deployments.base.main"},
		"draft":      {reason: "a draft has none yet", args: "--revision 0 --workspace one --lifecycle Draft", want: "deployments.eu.web.one"},
		"named":      {reason: "of those that are named", args: "deployments.eu.web.one deployments.us.web.one --lifecycle Draft", want: "deployments.eu.web.one"},
		"all spaces": {reason: "-A names the namespaces", args: "-A --revision 1", want: "fleet/deployments.base.v1"},
		"space":      {reason: "-n takes one namespace", args: "-n fleet --revision 1", want: "deployments.base.v1"},
		"no space":   {reason: "one without repositories is a mistake", args: "-n lab", code: exitFailed, says: `there is no Repository in namespace "lab"`},
		"both ways":  {reason: "one or all", args: "-n lab -A", code: exitUsage, says: "use either --namespace or --all-namespaces"},
		"bad number": {reason: "no number", args: "--revision one", code: exitUsage, says: `--revision "one": want a number`},
		"bad stage":  {reason: "no stage of life", args: "--lifecycle draft", code: exitUsage, says: `--lifecycle "draft": want Draft, Proposed, Published or DeletionProposed`},
		"bad output": {reason: "no form", args: "-o long", code: exitUsage, says: `--output "long": want table, wide, name, json or yaml`},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"rpkg", "get", "-f", fleet.file, "-o", "name"}, strings.Fields(tc.args)...)
			r := runCLI(t, args...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) || (r.stderr == "") != (tc.says == "") {
				t.Errorf("%s: exit code %d, stderr %q", tc.reason, r.code, r.stderr)
			}
			if diff := cmp.Diff(tc.want, strings.Join(strings.Fields(r.stdout), " ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRpkgWide says who published what, and where it is. What a commit says of its author is no
// instruction to the terminal.
func TestRpkgWide(t *testing.T) {
	fleet := newRpkgFleet(t)
	gittest.Git(t, fleet.repo, "-c", "user.name=E", "-c", "user.email=e\x1b[2J@example.com", "tag", "base/v2",
		gittest.Git(t, fleet.repo, "-c", "user.name=E", "-c", "user.email=e\x1b[2J@example.com", "commit-tree", "-p", "main", "-m", "m", "main^{tree}"))
	got := runCLI(t, "rpkg", "get", "-f", fleet.file, "-o", "wide", "-A", "--package", "base,eu/web").stdout
	if strings.Contains(got, "\x1b") {
		t.Errorf("an escape came through: %q", got)
	}
	lines := strings.Split(got, "\n")
	for i, want := range []string{
		"NAMESPACE NAME PACKAGE WORKSPACENAME REVISION LATEST LIFECYCLE REPOSITORY COMMIT OWNER PUBLISHEDBY PUBLISHEDAT",
		"fleet deployments.base.main base main -1 false Published deployments " + gittest.Git(t, fleet.repo, "rev-parse", "main") + " - - -",
		"fleet deployments.base.v1 base v1 1 false Published deployments " + gittest.Git(t, fleet.repo, "rev-parse", "base/v1") + " - seed@example.com 2026-01-01T00:00:00Z",
	} {
		if diff := cmp.Diff(want, strings.Join(strings.Fields(lines[i]), " ")); diff != "" {
			t.Errorf("line %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestRpkgDeletion deletes revisions in each way.
func TestRpkgDeletion(t *testing.T) {
	fleet := newRpkgFleet(t)
	runRpkg(t, fleet, "propose deployments.us.web.one")
	for _, step := range []struct{ step, want, refs string }{
		{"propose-delete deployments.base.v1 deployments.base.main", "deployments.base.main proposed for deletion\ndeployments.base.v1 proposed for deletion\n",
			"heads/deletionProposed/base/main heads/deletionProposed/base/v1 heads/drafts/eu/web/one heads/main heads/proposed/us/web/one tags/base/v1"},
		{"reject deployments.base.v1 deployments.us.web.one", "deployments.base.v1 no longer proposed for deletion\ndeployments.us.web.one rejected\n",
			"heads/deletionProposed/base/main heads/drafts/eu/web/one heads/drafts/us/web/one heads/main tags/base/v1"},
		{"propose deployments.us.web.one", "deployments.us.web.one proposed\n",
			"heads/deletionProposed/base/main heads/drafts/eu/web/one heads/main heads/proposed/us/web/one tags/base/v1"},
		{"delete deployments.us.web.one deployments.eu.web.one deployments.base.main", "deployments.base.main deleted\ndeployments.eu.web.one deleted\ndeployments.us.web.one deleted\n",
			"heads/main tags/base/v1"},
		{"propose-delete deployments.base.v1", "deployments.base.v1 proposed for deletion\n", "heads/deletionProposed/base/v1 heads/main tags/base/v1"},
		{"del deployments.base.v1", "deployments.base.v1 deleted\n", "heads/main"},
	} {
		r := runRpkg(t, fleet, step.step)
		if r.code != exitDone || r.stderr != "" || r.stdout != step.want {
			t.Fatalf("%s: exit code %d, stderr %q, stdout %q", step.step, r.code, r.stderr, r.stdout)
		}
		refs := strings.ReplaceAll(strings.Join(strings.Fields(gittest.Git(t, fleet.repo, "for-each-ref", "--format=%(refname)")), " "), "refs/", "")
		if diff := cmp.Diff(step.refs, refs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.step, diff)
		}
	}
	if files := gittest.Git(t, fleet.repo, "ls-tree", "-r", "--name-only", "main"); files != "" {
		t.Errorf("main still holds:\n%s", files)
	}
	gittest.Fsck(t, fleet.repo)
}

// TestRpkgUpstreamStays has a draft that was made from a published revision, in another repository of
// another namespace: as long as it is there, so is its upstream.
func TestRpkgUpstreamStays(t *testing.T) {
	fleet := newRpkgFleet(t)
	edge := gittest.NewBare(t)
	lock := "upstreamLock:\n  type: git\n  git:\n    repo: " + fleet.repo + "\n    directory: base\n    ref: base/v1\n    commit: " + gittest.Git(t, fleet.repo, "rev-parse", "base/v1") + "\n"
	gittest.Commit(t, edge, gittest.Change{Branch: "drafts/shop/one", Files: gittest.Files(map[string]string{"shop/Kptfile": rpkgKptfile + lock})})
	runRpkg(t, fleet, "propose-delete deployments.base.v1")
	both := repositoryYAML("fleet", "deployments", fleet.repo) + "---\n" + repositoryYAML("lab", "edge", edge)
	before := gittest.Refs(t, fleet.repo)
	for _, args := range [][]string{{}, {"-n", "fleet"}} {
		r := runCLIOn(t, both, append([]string{"rpkg", "del", "-f", "-", "deployments.base.v1", "deployments.eu.web.one"}, args...)...)
		if want := "error: del deployments.base.v1: it is the upstream of lab/edge.shop.one: delete or upgrade that one first\n"; r.code != exitFailed || r.stdout != "" || r.stderr != want {
			t.Errorf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
		}
	}
	if diff := cmp.Diff(before, gittest.Refs(t, fleet.repo)); diff != "" {
		t.Errorf("refs moved (-before +after):\n%s", diff)
	}
	if r := runCLIOn(t, both, "rpkg", "del", "-f", "-", "edge.shop.one"); r.code != exitDone {
		t.Fatalf("the draft itself may go: %s", r.stderr)
	}
	if r := runCLIOn(t, both, "rpkg", "del", "-f", "-", "deployments.base.v1"); r.code != exitDone {
		t.Errorf("and then its upstream: %s", r.stderr)
	}
}

// TestRpkgOnePush counts pushes: one for a repository, however many revisions are changed.
func TestRpkgOnePush(t *testing.T) {
	fleet, other := newRpkgFleet(t), newRpkgFleet(t)
	both := repositoryYAML("fleet", "deployments", fleet.repo) + "---\n" + repositoryYAML("lab", "deployments", other.repo)
	for _, repo := range []string{fleet.repo, other.repo} {
		gittest.Hook(t, repo, "post-receive", `cat > /dev/null; git update-ref "refs/pushes/$(git for-each-ref refs/pushes | wc -l)" main`)
	}
	r := runCLIOn(t, both, "rpkg", "propose", "-f", "-", "fleet/deployments.eu.web.one", "fleet/deployments.us.web.one", "lab/deployments.eu.web.one")
	if r.code != exitDone || strings.Count(r.stdout, " proposed\n") != 3 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
	for _, repo := range []string{fleet.repo, other.repo} {
		if n := strings.Count(gittest.Git(t, repo, "for-each-ref", "refs/pushes"), "refs/pushes/"); n != 1 {
			t.Errorf("%d pushes, want 1", n)
		}
	}
}

// TestRpkgNamesOpenTheirRepository has a second repository that cannot be reached, and is none of the
// business of who names a revision of the first.
func TestRpkgNamesOpenTheirRepository(t *testing.T) {
	fleet := newRpkgFleet(t)
	both := repositoryYAML("fleet", "deployments", fleet.repo) + "---\n" + repositoryYAML("fleet", "gone", fleet.repo+".gone")
	if r := runCLIOn(t, both, "rpkg", "propose", "-f", "-", "deployments.eu.web.one"); r.code != exitDone {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
	r := runCLIOn(t, both, "rpkg", "del", "-f", "-", "deployments.eu.web.one")
	if r.code != exitFailed || !strings.Contains(r.stderr, "repository fleet/gone: ") {
		t.Errorf("what is not seen may have been made from it; exit code %d, stderr %q", r.code, r.stderr)
	}
}
