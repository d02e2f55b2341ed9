package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// slowFleet has two packages, each with a function that takes some time.
const slowFleet = `
-- fleet/a/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: a}
pipeline: {mutators: [exec: slow]}
-- fleet/a/clusters/berlin/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
-- fleet/b/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: b}
pipeline: {mutators: [exec: slow]}
-- other/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: b}
pipeline: {mutators: [exec: slow]}
-- bin/slow --
#!/bin/sh
sleep 0.6
cat
`

// TestFleetProgress shows on a terminal what a command renders, if that takes some time, and erases it. Other outputs get nothing of
// it, and data is the same.
func TestFleetProgress(t *testing.T) {
	dir := writeArchive(t, slowFleet)
	onPath(t, filepath.Join(dir, "bin"))
	t.Setenv("TERM", "xterm")
	t.Chdir(dir)
	slow := []string{"--allow-exec", "--no-cache"}
	for name, tc := range map[string]struct {
		args  []string
		shows string // "" for a command that is quick
	}{
		"Preview":       {append(slow, "preview", "other", "fleet"), "Rendering package 1 of 1 (before), 1 of 2 (after)"},
		"Preview, data": {append(slow, "preview", "other", "fleet", "-o", "json"), "Rendering package 1 of 1 (before), 2 of 2 (after)"},
		"Report":        {append(slow, "report", "fleet", "-o", "-"), "Rendering package 2 of 2"},
		"Explain":       {append(slow, "explain", "berlin", "--dir", "fleet"), "Rendering package 1 of 2"},
		"Quick":         {[]string{"preview", "--no-render", "other", "fleet"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"fleet"}, tc.args...)
			piped, shown := runCLI(t, args...), runOnTerminals(t, 80, false, true, args...)
			if piped.code != exitDone || piped.stderr != "" || shown.code != exitDone || shown.stdout != piped.stdout {
				t.Fatalf("exit codes %d and %d; a pipe gets %q", piped.code, shown.code, piped.stderr)
			}
			for i := 0; tc.shows == "" && shown.stderr != "" && i < 5; i++ { // a busy machine makes it slow
				shown = runOnTerminals(t, 80, false, true, args...)
			}
			if tc.shows == "" && shown.stderr != "" {
				t.Errorf("a quick command shows %q", shown.stderr)
			}
			if tc.shows != "" && (!strings.Contains(shown.stderr, "\r\x1b[K"+tc.shows) || !strings.HasSuffix(shown.stderr, "\r\x1b[K")) {
				t.Errorf("no %q, or it is not erased: %q", tc.shows, shown.stderr)
			}
		})
	}
}

// TestProgressFits cuts the line at the width of the terminal, and shows none on a terminal that cannot erase it.
func TestProgressFits(t *testing.T) {
	dir := writeArchive(t, slowFleet)
	onPath(t, filepath.Join(dir, "bin"))
	t.Setenv("TERM", "xterm")
	args := []string{"fleet", "preview", "--allow-exec", "--no-cache", filepath.Join(dir, "other"), filepath.Join(dir, "fleet")}
	if r := runOnTerminals(t, 24, false, true, args...); !strings.Contains(r.stderr, "\r\x1b[KRendering package 1 of…\r") {
		t.Errorf("%q", r.stderr)
	}
	t.Setenv("TERM", "dumb")
	if r := runOnTerminals(t, 80, false, true, args...); r.stderr != "" {
		t.Errorf("a dumb terminal gets %q", r.stderr)
	}
}

// TestProgressAndMessages erases the line before a message.
func TestProgressAndMessages(t *testing.T) {
	dir := writeArchive(t, slowFleet+"-- fleet/b/broken.yaml --\n{\n")
	onPath(t, filepath.Join(dir, "bin"))
	t.Setenv("TERM", "xterm")
	args := []string{"fleet", "preview", "--color=never", "--allow-exec", "--no-cache", filepath.Join(dir, "other"), filepath.Join(dir, "fleet")}
	r := runOnTerminals(t, 80, false, true, args...)
	screen := r.stderr[strings.LastIndex(r.stderr, "\x1b[K")+len("\x1b[K"):]
	if r.code != exitFailed || !strings.Contains(r.stderr, "Rendering package") || !strings.HasPrefix(screen, "error: after, ") {
		t.Errorf("exit code %d: %q", r.code, r.stderr)
	}
}
