package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/rpkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgSelects changes what flags select: only revisions that the verb is for, after a preview and a yes.
func TestRpkgSelects(t *testing.T) {
	fleet := newRpkgFleet(t)
	propose := func(stdin string, more ...string) cliRun {
		return runCLIOn(t, stdin, append([]string{"rpkg", "propose", "-f", fleet.file, "--name", "web"}, more...)...)
	}
	const preview = `NAME                     PACKAGE   WORKSPACENAME   LIFECYCLE   REPOSITORY
deployments.eu.web.one   eu/web    one             Draft       deployments
deployments.us.web.one   us/web    one             Draft       deployments
propose: change 2 package revision(s)? [y/N] `
	before := gittest.Refs(t, fleet.repo)
	for _, answer := range []string{"", "n\n", "yess\n", "\n", strings.Repeat("y", 4096)} {
		r := propose(answer)
		if r.code != exitFailed || r.stdout != "" || !strings.HasPrefix(r.stderr, preview) || !strings.Contains(r.stderr, "nothing was changed") || gittest.Refs(t, fleet.repo) != before {
			t.Errorf("answer %.10q: exit code %d, stdout %q, stderr %q", answer, r.code, r.stdout, r.stderr)
		}
	}
	if r := propose("y\n", "--package", "eu/web"); r.code != exitDone || r.stdout != "deployments.eu.web.one proposed\n" {
		t.Errorf("yes: %+v", r)
	}
	if r := propose("", "--yes"); r.code != exitDone || r.stderr != "" || r.stdout != "deployments.us.web.one proposed\n" {
		t.Errorf("--yes: %+v", r)
	}
	if r := propose("", "--yes"); r.code != exitFailed || !strings.Contains(r.stderr, "no package revision that 'waybill rpkg propose' is for matches the flags") {
		t.Errorf("nothing is left to propose: %+v", r)
	}
	if r := runCLIOn(t, readText(t, fleet.file), "rpkg", "approve", "-f", "-", "--name", "web"); r.code != exitUsage || !strings.Contains(r.stderr, "use --yes") {
		t.Errorf("objects on stdin are no answer: %+v", r)
	}
	if r := runRpkg(t, fleet, "approve --lifecycle Proposed --yes"); r.code != exitDone || r.stdout != "deployments.eu.web.one approved\ndeployments.us.web.one approved\n" {
		t.Errorf("approve: %+v", r)
	}
	if r := runRpkg(t, fleet, "propose-delete -l kpt.dev/latest-revision=true --package eu/web --yes"); r.code != exitDone || r.stdout != "deployments.eu.web.one proposed for deletion\n" {
		t.Errorf("propose-delete: %+v", r)
	}
}

// TestRpkgNamesakes has a draft and a published revision of one workspace.
func TestRpkgNamesakes(t *testing.T) {
	fleet := newRpkgFleet(t)
	for _, step := range []string{"propose deployments.eu.web.one", "approve deployments.eu.web.one"} {
		if r := runRpkg(t, fleet, step); r.code != exitDone {
			t.Fatal(r.stderr)
		}
	}
	gittest.Git(t, fleet.repo, "branch", "drafts/eu/web/one", "main")
	const name = "deployments.eu.web.one"
	if r := runRpkg(t, fleet, "del "+name); r.code != exitFailed || !strings.Contains(r.stderr, `there are 2 package revisions "`+name+`"; choose one by --lifecycle: Draft or Published`) {
		t.Errorf("which one: %+v", r)
	}
	t.Chdir(t.TempDir())
	if r := runRpkg(t, fleet, "pull "+name); r.code != exitFailed || !strings.Contains(r.stderr, "choose one by --lifecycle") {
		t.Errorf("pull: %+v", r)
	}
	for lifecycle, has := range map[string]bool{"Draft": true, "Published": false} {
		if r := runRpkg(t, fleet, "pull --lifecycle "+lifecycle+" "+name+" "+lifecycle); r.code != exitDone {
			t.Errorf("pull the %s: %+v", lifecycle, r)
		}
		if _, err := os.Stat(lifecycle + "/.KptRevisionMetadata"); (err == nil) != has {
			t.Errorf("pull the %s: %v", lifecycle, err)
		}
	}
	if r := runRpkg(t, fleet, "pull --lifecycle Proposed deployments.base.v1"); r.code != exitFailed || !strings.Contains(r.stderr, "it has another lifecycle") {
		t.Errorf("pull: %+v", r)
	}
	if r := runRpkg(t, fleet, "propose-delete --lifecycle Published "+name); r.code != exitDone {
		t.Errorf("the published one: %+v", r)
	}
	if r := runRpkg(t, fleet, "del --lifecycle Draft "+name); r.code != exitDone || strings.Contains(gittest.Refs(t, fleet.repo), "refs/heads/drafts/eu") || !strings.Contains(gittest.Refs(t, fleet.repo), "refs/tags/eu/web/v1") {
		t.Errorf("the draft alone: %+v\n%s", r, gittest.Refs(t, fleet.repo))
	}
	if r := runRpkg(t, fleet, "del "+name); r.code != exitDone || strings.Contains(gittest.Refs(t, fleet.repo), "refs/tags/eu/web/v1") {
		t.Errorf("the other: %+v", r)
	}
}

// TestRpkgGetKptfile prints Kptfiles, and selects by a part of the package's name.
func TestRpkgGetKptfile(t *testing.T) {
	fleet := newRpkgFleet(t)
	if diff := cmp.Diff(rpkgKptfile+"---\n"+rpkgKptfile, runRpkg(t, fleet, "get --name web --show-kptfile").stdout); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var list cli.List[rpkg.Row]
	if err := json.Unmarshal([]byte(runRpkg(t, fleet, "get --name as -o json").stdout), &list); err != nil || len(list.Items) != 2 || list.Items[0].Package != "base" {
		t.Errorf("%v %v", list, err)
	}
}

// TestRpkgDiff compares a draft with main, with its upstream, and two revisions.
func TestRpkgDiff(t *testing.T) {
	f := newDraftFleet(t)
	t.Chdir(t.TempDir())
	f.do(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	f.publish(t, "one")
	f.do(t, "copy deployments.eu.shop.one --workspace two")
	f.do(t, "pull deployments.eu.shop.two")
	writeFile(t, "shop/app.yaml", strings.Replace(readText(t, "shop/app.yaml"), "hello", "ahoy", 1), 0o644)
	f.do(t, "push deployments.eu.shop.two shop")
	const changed = "changed app.yaml ConfigMap app data.greeting hello ahoy\n"
	for step, want := range map[string]string{
		"deployments.eu.shop.two":                         changed,
		"deployments.eu.shop.one deployments.eu.shop.two": changed,
		"deployments.eu.shop.two --with upstream":         changed,
		"deployments.eu.shop.two --with main":             changed,
		"deployments.eu.shop.one":                         "",
	} {
		r := f.do(t, "diff "+step)
		if !strings.Contains(collapseSpaces(r.stdout), strings.TrimSuffix(want, "\n")) || (want == "") != (r.stdout == "") || (want == "") != strings.Contains(r.stderr, "Nothing differs.") {
			t.Errorf("diff %s: stdout %q, stderr %q", step, r.stdout, r.stderr)
		}
		if r := f.run(t, "diff --exit-code "+step); (r.code == exitDone) != (want == "") {
			t.Errorf("diff %s: exit code %d", step, r.code)
		}
	}
	if r := f.run(t, "diff --exit-code deployments.eu.shop.three"); r.code != exitUsage {
		t.Errorf("a failure is no difference: %+v", r)
	}
	if r := f.run(t, "diff deployments.eu.shop.one deployments.eu.shop.two --with main"); r.code != exitUsage {
		t.Errorf("%+v", r)
	}
	if r := f.run(t, "diff blueprints.shop.v1 --with upstream"); r.code != exitFailed || !strings.Contains(r.stderr, "upstream") {
		t.Errorf("a package without upstream: %+v", r)
	}
}

// TestRpkgBranch says that the branch of a Repository is missing or illegal; the revisions of others are listed all the same.
func TestRpkgBranch(t *testing.T) {
	fleet := newRpkgFleet(t)
	for branch, says := range map[string]string{
		"live":  `repository lab/other: the repository has no branch "live": push one, or set spec.git.createBranch`,
		"a..b":  `repository lab/other: spec.git.branch: `,
		"-main": `repository lab/other: spec.git.branch: `,
	} {
		other := strings.Replace(repositoryYAML("lab", "other", fleet.repo), "branch: main", "branch: "+branch, 1)
		r := runCLIOn(t, readText(t, fleet.file)+"---\n"+other, "rpkg", "get", "-f", "-")
		if r.code != exitFailed || !strings.Contains(r.stderr, says) || !strings.Contains(r.stdout, "deployments.eu.web.one") {
			t.Errorf("%s: %+v", branch, r)
		}
		if r := runCLIOn(t, other+"    createBranch: true\n", "rpkg", "get", "-f", "-"); (r.code == exitDone) != (branch == "live") {
			t.Errorf("%s with createBranch: %+v", branch, r)
		}
	}
}
