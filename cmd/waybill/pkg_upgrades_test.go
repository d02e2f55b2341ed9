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

// TestUpgradesPage runs the commands of the page on upgrades, in one shell: the output is what it
// shows.
func TestUpgradesPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	const page = "../../docs/upgrades.md"
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "gitconfig"), "[user]\n\tname = You\n\temail = you@example.com\n", 0o644)
	cmd := exec.Command("bash", "-e")
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n"))
	cmd.Env = append(gittest.Env(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "HOME="+home, "WAYBILL_CACHE_DIR="+home,
		"GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &messages)
	}
	checkShown(t, page, "", out.String())
	checkShown(t, "../../README.md", "pkg update", out.String())
}
