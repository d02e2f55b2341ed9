package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const fleetExample = "../../examples/edge-fleet/"

// TestExampleFleet runs the commands of the example's README, twice, the second time in
// an unusual git environment: the output is what the README shows, and the commits
// are the same.
func TestExampleFleet(t *testing.T) {
	testenv.Need(t, testenv.Git)
	bin := buildWaybill(t)
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "demo")
	stdout, stderr := runDemo(t, bin, second, nil)
	if err := os.Rename(second, first); err != nil { // locks hold the paths of the repositories
		t.Fatal(err)
	}
	again, _ := runDemo(t, bin, second, customisedGit(t))
	if diff := cmp.Diff(stdout, again); diff != "" {
		t.Errorf("the second run says something else (-first +second):\n%s", diff)
	}
	for _, repo := range []string{"blueprints.git", "deployments.git"} {
		refs := gittest.Refs(t, filepath.Join(first, repo))
		if diff := cmp.Diff(refs, gittest.Refs(t, filepath.Join(second, repo))); diff != "" {
			t.Errorf("%s: the second run made other commits (-first +second):\n%s", repo, diff)
		}
		gittest.Fsck(t, filepath.Join(first, repo))
	}
	checkShown(t, fleetExample+"README.md", "", stdout)
	checkShown(t, "../../README.md", "fleet preview", stdout)
	for _, line := range slices.Concat(blocks(t, fleetExample+"README.md", "sh")...) {
		if !strings.Contains(stderr, line+"\n") {
			t.Errorf("the demo does not run %q, or does not show that it does", line)
		}
	}
	checkFleetRefs(t, filepath.Join(first, "deployments.git"))
}

// runDemo runs demo.sh into dir and returns what it printed.
func runDemo(t *testing.T, bin, dir string, env []string) (stdout, stderr string) {
	t.Helper()
	var out, messages strings.Builder
	cmd := exec.Command(fleetExample+"demo.sh", dir)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("demo.sh: %v\n%s", err, &messages)
	}
	return out.String(), messages.String()
}

// customisedGit is an environment with git settings that could change the result.
func customisedGit(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".gitconfig"), `[user]
	name = Somebody
[commit]
	gpgsign = true
[tag]
	gpgsign = true
[core]
	autocrlf = true
	hooksPath = /nowhere
[init]
	defaultBranch = trunk
[diff]
	noprefix = true
	external = false
[color]
	ui = always
[push]
	default = nothing
[url "https://invalid.example/"]
	insteadOf = /
`, 0o644)
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index",
		"GIT_EXTERNAL_DIFF=false", "TZ=Pacific/Auckland", "GIT_COMMITTER_NAME=Somebody", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z"}
}

// checkWorks wants works below ref, and all of them such as OCM takes.
func checkWorks(t *testing.T, repo, ref string) {
	t.Helper()
	files := map[string][]byte{}
	for _, file := range strings.Fields(gittest.Git(t, repo, "ls-tree", "-r", "--name-only", ref)) {
		files[file] = []byte(gittest.Git(t, repo, "show", ref+":"+file))
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	if works, faults := ocmcheck.Tree(tree); works == 0 || len(faults) > 0 {
		t.Errorf("%s: %d works:\n%s", ref, works, strings.Join(faults, "\n"))
	}
}

var fence = regexp.MustCompile("(?ms)^```(\\w*)\\n(.*?)^```$")

// blocks are the lines of each fenced block of a language in a Markdown file.
func blocks(t *testing.T, file, language string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return blocksIn(string(text), language)
}

func blocksIn(markdown, language string) (found [][]string) {
	for _, m := range fence.FindAllStringSubmatch(markdown, -1) {
		if m[1] == language {
			found = append(found, strings.Split(strings.TrimSuffix(m[2], "\n"), "\n"))
		}
	}
	return found
}

// checkShown wants the output that a document shows to be the program's: its blocks called text, and in
// blocks without a name what follows a line that begins with "$ waybill" and the command.
func checkShown(t *testing.T, file, command, stdout string) {
	t.Helper()
	shown := blocks(t, file, "text")
	for _, block := range blocks(t, file, "") {
		if strings.HasPrefix(block[0], "$ waybill "+command) {
			shown = append(shown, block[1:])
		}
	}
	if len(shown) == 0 {
		t.Errorf("%s shows no output", file)
	}
	for _, block := range shown {
		if text := strings.Join(block, "\n") + "\n"; !strings.Contains(stdout, text) {
			t.Errorf("%s shows what the program does not print:\n%s\nit prints:\n%s", file, text, stdout)
		}
	}
}

// checkFleetRefs wants the packages of three regions published, Europe's upgrade with its own edit, and the upgrades of the others
// as drafts of one commit.
func checkFleetRefs(t *testing.T, repo string) {
	t.Helper()
	want := []string{
		"refs/heads/drafts/lab/shop/packagevariant-2", "refs/heads/drafts/us/shop/packagevariant-2", "refs/heads/main",
		"refs/tags/eu/shop/v1", "refs/tags/eu/shop/v2", "refs/tags/lab/shop/v1", "refs/tags/us/shop/v1",
	}
	got := strings.Fields(gittest.Git(t, repo, "for-each-ref", "--format=%(refname)"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refs (-want +got):\n%s", diff)
	}
	for _, ref := range got {
		checkWorks(t, repo, ref)
	}
	for _, region := range []string{"lab", "us"} {
		if n := gittest.Git(t, repo, "rev-list", "--count", "main..drafts/"+region+"/shop/packagevariant-2"); n != "1" {
			t.Errorf("the draft of %s has %s commits that main does not have, want 1", region, n)
		}
	}
	work := gittest.Git(t, repo, "show", "main:eu/shop/clusters/zurich-1/shop/manifestwork-0.yaml")
	for _, text := range []string{"replicas: 3", "frontend:1.5.0"} {
		if !strings.Contains(work, text) {
			t.Errorf("the published work of zurich-1 does not contain %q:\n%s", text, work)
		}
	}
}
