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

// TestTutorials types every command of every tutorial, each in a shell and an empty folder of its own: the output is what the page
// shows.
func TestTutorials(t *testing.T) {
	testenv.Need(t, testenv.Git)
	pages, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d tutorials: %v", len(pages), err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			script := strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n")
			path := buildWaybill(t)
			if strings.Contains(script, "kpt ") {
				testenv.Need(t, testenv.Kpt)
				path += ":" + buildFunctions(t)
			}
			stdout := typeTutorial(t, script, path)
			checkShown(t, page, "", stdout)
		})
	}
}

// typeTutorial runs a script in an empty folder, as a user whose git knows a name, and returns what it prints.
func typeTutorial(t *testing.T, script, path string) string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "gitconfig"), "[user]\n\tname = You\n\temail = you@example.com\n", 0o644)
	cmd := exec.Command("bash", "-e")
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(gittest.Env(), "PATH="+path+":"+os.Getenv("PATH"), "HOME="+home, "WAYBILL_CACHE_DIR="+home,
		"GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, &out, &messages)
	}
	return out.String()
}
