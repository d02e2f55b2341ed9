package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// showTool prints its arguments, and what is in the folders among them; it ends with the status in the file status.
const showTool = `#!/bin/sh
for a in "$@"; do
  [ -d "$a" ] || { echo "[$a]"; continue; }
  echo "folder ${a##*/}"
  (cd "$a" && find . -type f | sort | while read -r f; do echo "file $f"; cat "$f"; done)
done
exit $(cat "$(dirname "$0")/status" 2>/dev/null || echo 0)
`

// TestPkgDiffTool runs a program over the versions of a package, as kpt does: the same folders, and the same arguments.
func TestPkgDiffTool(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	gittest.Git(t, conflicted(t).bare, "tag", "line/v2", "v2")
	bin := t.TempDir()
	writeFile(t, filepath.Join(bin, "show"), showTool, 0o755)
	onPath(t, bin)
	t.Setenv("KPT_CACHE_DIR", t.TempDir())
	left := t.TempDir()
	t.Setenv("TMPDIR", left)
	noise := regexp.MustCompile(`(?m)^(From | \* |   [0-9a-f]{7,}\.\.| {4,}\S* *-> |Adding package ).*\n`)
	cases := map[string]struct {
		reason string
		args   []string
	}{
		"local":    {"what was changed here", []string{"edge", "--diff-tool", "show"}},
		"remote":   {"what upstream changed", []string{"edge@v2", "--diff-type", "remote", "--diff-tool", "show"}},
		"combined": {"with a ref", []string{"edge@v2", "--diff-tool", "show"}},
		"3way":     {"three folders", []string{"edge@v2", "--diff-type", "3way", "--diff-tool", "show"}},
		"tag":      {"a ref with a slash", []string{"edge@line/v2", "--diff-tool", "show"}},
		"options":  {"options are separated by spaces, and by no shell", []string{"edge", "--diff-tool", "show", "--diff-tool-opts", `-a 'x y'  $HOME;id "b"`}},
		"path":     {"the program may be a path", []string{"edge", "--diff-tool", filepath.Join(bin, "show")}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			kpt := exec.Command("kpt", append([]string{"pkg", "diff"}, tc.args...)...)
			out, err := kpt.Output()
			if err != nil {
				t.Fatalf("kpt: %v\n%s", err, out)
			}
			r := mustRun(t, append([]string{"pkg", "diff"}, tc.args...)...)
			if d := cmp.Diff(noise.ReplaceAllString(string(out), ""), r.stdout); d != "" {
				t.Errorf("%s (-kpt +waybill):\n%s", tc.reason, d)
			}
			if files, err := filepath.Glob(filepath.Join(left, "waybill-diff-*")); err != nil || len(files) > 0 {
				t.Errorf("%s: left behind: %v %v", tc.reason, files, err)
			}
		})
	}
}

// TestPkgDiffToolStatus passes on whether something differs, where it is asked for, and failures.
func TestPkgDiffToolStatus(t *testing.T) {
	conflicted(t)
	bin := t.TempDir()
	writeFile(t, filepath.Join(bin, "show"), showTool, 0o755)
	onPath(t, bin)
	cases := map[string]struct {
		reason, status string
		args           []string
		code           int
		says           string
	}{
		"same":         {"nothing differs", "0", []string{"--exit-code"}, exitDone, ""},
		"differs":      {"something does", "1", nil, exitDone, ""},
		"asked":        {"which is told", "1", []string{"--exit-code"}, exitFailed, ""},
		"fails":        {"a failure is one", "3", nil, exitFailed, "exit status 3; it may not support this --diff-type"},
		"fails, asked": {"of another status", "3", []string{"--exit-code"}, exitUsage, "exit status 3"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			writeFile(t, filepath.Join(bin, "status"), tc.status, 0o644)
			r := runCLI(t, append([]string{"pkg", "diff", "edge", "--diff-tool", "show"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, stderr:\n%s", tc.reason, r.code, r.stderr)
			}
		})
	}
	must(t, os.WriteFile(filepath.Join(bin, "diff"), []byte(showTool), 0o600))
	must(t, os.Chmod(filepath.Join(bin, "diff"), 0o700)) // #nosec G302 -- a program
	must(t, os.Remove(filepath.Join(bin, "status")))
	if r := mustRun(t, "pkg", "diff", "edge", "--diff-tool-opts", "-u"); !strings.HasPrefix(r.stdout, "[-u]\nfolder local-v1\n") {
		t.Errorf("options alone are diff's: %s", r.stdout)
	}
}
