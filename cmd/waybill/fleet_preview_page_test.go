package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// stepWith is the script in docs/preview.md in which something is said, without the indentation of the workflow.
func stepWith(t *testing.T, word string) string {
	t.Helper()
	for _, block := range blocks(t, "../../docs/preview.md", "yaml") {
		for _, step := range strings.Split(strings.Join(block, "\n"), "\n    - ") {
			head, script, ok := strings.Cut(step, "run: |\n")
			if !ok || !strings.Contains(script, word) || strings.Contains(head, word) {
				continue
			}
			return strings.ReplaceAll(script, "\n        ", "\n")
		}
	}
	t.Fatalf("docs/preview.md has no script that says %q", word)
	return ""
}

// runStep runs a script as a workflow does.
func runStep(t *testing.T, dir, script string, env ...string) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// promoted is a repository of packages of two environments, without what rendering makes of them, a clone in which the step
// runs, and what is on its branches.
type promoted struct {
	t           *testing.T
	root, clone string
	bin, script string
}

func newPromoted(t *testing.T) *promoted {
	t.Helper()
	p := &promoted{t: t, root: previewRepo(t), bin: buildWaybill(t), script: stepWith(t, "hydrator.metadata")}
	gittest.Git(t, p.root, "rm", "-r", "--quiet", "shop/clusters", "shop/bindings")
	for _, name := range []string{"staging", "production"} {
		if err := os.CopyFS(filepath.Join(p.root, "fleet", name), os.DirFS(filepath.Join(p.root, "shop"))); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(p.root, "fleet", name, ".gitignore"), "/clusters/\n", 0o644)
		writeFile(t, filepath.Join(p.root, "fleet", name, "README.md"), name+"\n", 0o644)
	}
	writeFile(t, filepath.Join(p.root, ".gitignore"), "bindings/\n", 0o644)
	gittest.Git(t, p.root, "rm", "-r", "--quiet", "shop")
	commitAll(t, p.root, "moved")
	p.clone = filepath.Join(t.TempDir(), "clone")
	gittest.Git(t, p.root, "clone", "--quiet", p.root, p.clone)
	return p
}

// run takes what is new, runs the step, and holds that it leaves the clone as it was.
func (p *promoted) run() {
	p.t.Helper()
	gittest.Git(p.t, p.clone, "pull", "--quiet")
	head := gittest.Git(p.t, p.clone, "rev-parse", "HEAD")
	runStep(p.t, p.clone, p.script, "PATH="+p.bin+":"+os.Getenv("PATH"), "ENVIRONMENTS=staging production", "GITHUB_SERVER_URL=https://git.example.com", "GITHUB_REPOSITORY=o/r")
	got := []string{gittest.Git(p.t, p.clone, "rev-parse", "HEAD"), gittest.Git(p.t, p.clone, "branch", "--show-current"), gittest.Git(p.t, p.clone, "status", "--porcelain")}
	if diff := cmp.Diff([]string{head, "main", ""}, got); diff != "" || strings.Count(gittest.Git(p.t, p.clone, "worktree", "list"), "\n") != 0 {
		p.t.Errorf("the clone is another one (-before +after):\n%s", diff)
	}
}

// commits are those on the next branch of an environment, the newest first.
func (p *promoted) commits(environment string) []string {
	p.t.Helper()
	return strings.Fields(gittest.Git(p.t, p.root, "log", "--format=%H", "environment/"+environment+"-next"))
}

// check holds a branch to what is rendered from the newest commit, and to saying from which it is.
func (p *promoted) check(environment, dry string) {
	p.t.Helper()
	next, dir := "environment/"+environment+"-next", filepath.Join(p.t.TempDir(), environment)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(p.root, "fleet", environment))); err != nil {
		p.t.Fatal(err)
	}
	done(p.t, "fn", "render", dir)
	want := map[string]string{"hydrator.metadata": fmt.Sprintf(`{"drySha": "%s", "repoURL": "https://git.example.com/o/r"}`, dry)}
	for file, b := range readTree(p.t, dir).All() {
		want[file] = strings.TrimSuffix(string(b.Data()), "\n")
	}
	got := map[string]string{}
	for _, file := range strings.Split(gittest.Git(p.t, p.root, "ls-tree", "-r", "--name-only", next), "\n") {
		got[file] = gittest.Git(p.t, p.root, "show", next+":"+file)
	}
	if diff := cmp.Diff(want, got); diff != "" || got["clusters/a/shop/manifestwork-0.yaml"] == "" {
		p.t.Errorf("%s holds another thing than what is rendered (-want +got):\n%s", next, diff)
	}
}

// TestPromotionStep runs the script again and again, for two environments: a change is one commit on the next branch, that
// says where it is from, and nothing else is none.
func TestPromotionStep(t *testing.T) {
	p := newPromoted(t)
	first := gittest.Git(t, p.root, "rev-parse", "main")
	p.run()
	p.check("staging", first)
	p.check("production", first)
	staging, production := p.commits("staging"), p.commits("production")
	if len(staging) != 2 || len(production) != 2 || gittest.Git(t, p.root, "rev-parse", "environment/staging") != staging[1] {
		t.Errorf("want branches that begin with an empty commit: %q, %q", staging, production)
	}
	p.run()
	writeFile(t, filepath.Join(p.root, "beside.md"), "x", 0o644)
	commitAll(t, p.root, "beside")
	p.run()
	if !slices.Equal(p.commits("staging"), staging) || !slices.Equal(p.commits("production"), production) {
		t.Errorf("what makes no difference is a commit: %q, %q", p.commits("staging"), p.commits("production"))
	}
	writeFile(t, filepath.Join(p.root, "fleet", "staging", "app", "web.yaml"), edgeWeb("5", "web:1"), 0o644)
	gittest.Git(t, p.root, "rm", "--quiet", "fleet/staging/app/secret.yaml")
	commitAll(t, p.root, "scaled")
	p.run()
	p.check("staging", gittest.Git(t, p.root, "rev-parse", "main"))
	p.check("production", first)
	if now := p.commits("staging"); len(now) != 3 || now[1] != staging[0] || !slices.Equal(p.commits("production"), production) {
		t.Errorf("a change that makes a difference is no commit on top: %q, then %q", staging, now)
	}
	gittest.Git(t, p.root, "branch", "--force", "environment/production", production[0])
	gittest.Git(t, p.root, "branch", "-D", "environment/production-next")
	gittest.Git(t, p.clone, "fetch", "--quiet", "--prune")
	p.run()
	if now := p.commits("production"); !slices.Equal(now, production) {
		t.Errorf("a next branch that is missing does not begin at the active one: %q, then %q", production, now)
	}
}
