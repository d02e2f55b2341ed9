package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgApproveKeepsMain approves what would undo a commit by hand on the main branch: approve prints that and
// refused, with all that goes with it, and done when the user says so.
func TestRpkgApproveKeepsMain(t *testing.T) {
	fleet := newRpkgFleet(t)
	runRpkg(t, fleet, "propose deployments.eu.web.one deployments.us.web.one")
	hand := gittest.Commit(t, fleet.repo, gittest.Change{Message: "Mind \x1b[2Jthe step\n\nmore\n",
		Files: gittest.Files(map[string]string{"eu/web/Kptfile": rpkgKptfile, "eu/web/notes.txt": "mind the step\n"})})
	const approve = "approve deployments.eu.web.one deployments.us.web.one"
	warning := fmt.Sprintf(`warning: deployments.eu.web.one: approval undoes eu/web/notes.txt, commit %s of seed@example.com: Mind \x1b[2Jthe step`+"\n", hand[:12])

	before := gittest.Refs(t, fleet.repo)
	r := runRpkg(t, fleet, approve)
	want := cliRun{code: exitFailed, stderr: warning + `error: approve deployments.eu.web.one: approve of package "eu/web", workspace "one": ` +
		"it would undo changes of others on the main branch: merge them into the draft, or use --overwrite-main\n"}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(cliRun{})); diff != "" {
		t.Errorf("the losses are printed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, gittest.Refs(t, fleet.repo)); diff != "" {
		t.Errorf("refs moved (-before +after):\n%s", diff)
	}

	r = runRpkg(t, fleet, approve+" --overwrite-main")
	want = cliRun{stdout: "deployments.eu.web.one approved\ndeployments.us.web.one approved\n", stderr: warning}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(cliRun{})); diff != "" {
		t.Errorf("who insists is warned (-want +got):\n%s", diff)
	}
	if files := gittest.Git(t, fleet.repo, "ls-tree", "-r", "--name-only", "main", "eu"); files != "eu/web/Kptfile" {
		t.Errorf("main holds:\n%s", files)
	}
	gittest.Git(t, fleet.repo, "merge-base", "--is-ancestor", hand, "main") // or fails: nothing is lost from the history
}

// TestRpkgApproveNamesTheFirst is brief about a package that is another one on the main branch.
func TestRpkgApproveNamesTheFirst(t *testing.T) {
	fleet := newRpkgFleet(t)
	runRpkg(t, fleet, "propose deployments.eu.web.one")
	files := map[string]string{"eu/web/Kptfile": rpkgKptfile}
	for i := range 25 {
		files[fmt.Sprintf("eu/web/%02d.yaml", i)] = "x"
	}
	gittest.Commit(t, fleet.repo, gittest.Change{Files: gittest.Files(files)})
	lines := strings.Split(runRpkg(t, fleet, "approve deployments.eu.web.one").stderr, "\n")
	if len(lines) != 23 || lines[20] != "warning: deployments.eu.web.one: and 5 files more" || !strings.HasPrefix(lines[21], "error: ") {
		t.Errorf("want 20 files, how many more, and the error; got:\n%s", strings.Join(lines, "\n"))
	}
}

// TestRpkgApproveNamesAMode says of a file whose content is the same what is different.
func TestRpkgApproveNamesAMode(t *testing.T) {
	fleet := newRpkgFleet(t)
	runRpkg(t, fleet, "propose deployments.eu.web.one")
	gittest.Commit(t, fleet.repo, gittest.Change{Files: gittest.Files(map[string]string{"eu/web/Kptfile": gittest.Git(t, fleet.repo, "show", "proposed/eu/web/one:eu/web/Kptfile") + "\n"})})
	here, file := "--work-tree="+t.TempDir(), "eu/web/Kptfile"
	gittest.Git(t, fleet.repo, here, "read-tree", "main")
	gittest.Git(t, fleet.repo, here, "update-index", "--cacheinfo", "100755,"+gittest.Git(t, fleet.repo, "rev-parse", "main:"+file)+","+file)
	id := gittest.Git(t, fleet.repo, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", "main", "-m", "Run it", gittest.Git(t, fleet.repo, "write-tree"))
	gittest.Git(t, fleet.repo, "update-ref", "refs/heads/main", id)
	r := runRpkg(t, fleet, "approve deployments.eu.web.one")
	want := fmt.Sprintf("warning: deployments.eu.web.one: approval undoes the file mode of %s, commit %s of e@example.com: Run it\n", file, id[:12])
	if got, _, _ := strings.Cut(r.stderr, "error: "); got != want || r.code != exitFailed {
		t.Errorf("got exit code %d and %s, want %s", r.code, r.stderr, want)
	}
	if mode, _, _ := strings.Cut(gittest.Git(t, fleet.repo, "ls-tree", "main", file), " "); mode != "100755" {
		t.Errorf("the mode on main is %s", mode)
	}
}
