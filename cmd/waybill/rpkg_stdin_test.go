package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgPushStdin pushes objects that a pipe changed: files without objects stay, and so does the text of what is the same.
func TestRpkgPushStdin(t *testing.T) {
	const name, branch = "deployments.eu.web.one", "drafts/eu/web/one"
	fleet := pullFleet(t)
	commit := func() string { return gittest.Git(t, fleet.repo, "rev-parse", branch) }
	push := func(list string, more ...string) cliRun {
		return runCLIOn(t, list, append([]string{"rpkg", "push", "-f", fleet.file, name, "-"}, more...)...)
	}
	pulled := runRpkg(t, fleet, "pull "+name+" -").stdout
	if got := push(pulled, "--at", commit()); got.code != exitDone || got.stdout != name+" unchanged\n" {
		t.Fatalf("what was pulled is what is there; got %+v", got)
	}
	changed := runCLIOn(t, pulled, "fn", "eval", "-", "-i", "set-labels:v0.2", "--match-kind", "ConfigMap", "--", "tier=web").stdout
	before := commit()
	if got := push(changed, "--at", before); got.code != exitDone || got.stdout != name+" pushed\n" {
		t.Fatalf("got %+v", got)
	}
	if got := gittest.Git(t, fleet.repo, "diff", "--name-only", before, branch); got != "eu/web/conf/app.yaml" {
		t.Errorf("one file changes; got %s", got)
	}
	if got := gittest.Git(t, fleet.repo, "show", branch+":eu/web/conf/app.yaml"); !strings.Contains(got, "metadata: # kept\n") || !strings.Contains(got, "tier: web") {
		t.Errorf("it has the label, and its comment; got\n%s", got)
	}
	for says, do := range map[string]func() cliRun{
		"the draft moved": func() cliRun { return push(changed, "--at", before) },
		"by --at":         func() cliRun { return push(changed) },
		"no Kptfile at its root": func() cliRun {
			return push("kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems: []\n", "--at", commit())
		},
		"stdin cannot hold both": func() cliRun { return runCLIOn(t, changed, "rpkg", "push", "-f", "-", name, "-", "--at", commit()) },
		`"README.md", which is a file without`: func() cliRun {
			return push(strings.ReplaceAll(changed, "conf/app.yaml", "README.md"), "--at", commit())
		},
		`path "../x.yaml" leads out`: func() cliRun {
			return push(strings.ReplaceAll(changed, "conf/app.yaml", "../x.yaml"), "--at", commit())
		},
	} {
		was := commit()
		if got := do(); got.code == exitDone || got.stdout != "" || !strings.Contains(got.stderr, says) || commit() != was {
			t.Errorf("want %q and no commit, got %+v", says, got)
		}
	}
	without := strings.Split(changed, "- apiVersion: v1\n  kind: ConfigMap")[0]
	if got := push(without, "--at", commit()); got.code != exitDone {
		t.Fatalf("got %+v", got)
	}
	if got := gittest.Git(t, fleet.repo, "ls-tree", "-r", "--name-only", branch+":eu/web"); got != "Kptfile\nREADME.md" {
		t.Errorf("an object that is not in the list goes, and other files stay; got %s", got)
	}
}
