package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// runPage types what a page tells people to type, in one shell, and returns what that prints.
func runPage(t *testing.T, page, dir string, put *strings.Replacer, env ...string) string {
	t.Helper()
	return runScript(t, page, put.Replace(strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n")), dir, env...)
}

// runScript runs commands of a page in a shell in dir, and returns what they print.
func runScript(t *testing.T, page, script, dir string, env ...string) string {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-o", "pipefail")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(os.Environ(), env...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", page, err, &out, &messages)
	}
	return out.String()
}

// gitUser is the environment of a user whose git knows a name.
func gitUser(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "gitconfig")
	writeFile(t, config, "[user]\n\tname = You\n\temail = you@example.com\n", 0o644)
	return append(gittest.Env(), "HOME="+home, "GIT_CONFIG_GLOBAL="+config)
}

// TestBudgetsPage runs the page on budgets, which needs no cluster.
func TestBudgetsPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	const page = "../../docs/budgets.md"
	out := runPage(t, page, t.TempDir(), strings.NewReplacer(), append(gitUser(t), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"))...)
	checkShown(t, page, "", out)
}

// TestShardsPage runs the page on several deployment repositories: one reconcile makes a draft in each, with the works of the
// clusters of its shard, and a preview compares them all.
func TestShardsPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	const page = "../../docs/shards.md"
	out := runPage(t, page, t.TempDir(), strings.NewReplacer(), append(gitUser(t), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"))...)
	checkShown(t, page, "", out)
}
