package depcheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firsts returns the first group of every match, sorted.
func firsts(pattern, text string) (found []string) {
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return found
}

// targets lists the targets of the Makefile, help line or not.
func targets(t *testing.T) []string {
	t.Helper()
	return firsts(`(?m)^([a-zA-Z0-9_/-]+):(?:[^=]|$)`, read(t, "Makefile"))
}

func TestEveryTargetIsHelpedAndPhony(t *testing.T) {
	want, makefile := targets(t), read(t, "Makefile")
	if diff := cmp.Diff(want, firsts(`(?m)^\.PHONY: (\S+)$`, makefile)); diff != "" {
		t.Errorf("a file named like a target would hide it (-targets +.PHONY):\n%s", diff)
	}
	out, err := exec.Command("make", "-C", root, "--no-print-directory", "help").CombinedOutput()
	if err != nil {
		t.Fatalf("make help: %v: %s", err, out)
	}
	if diff := cmp.Diff(want, firsts(`(?m)^  (\S+) +\S`, string(out))); diff != "" {
		t.Errorf("make help must list every target (-targets +make help):\n%s", diff)
	}
}

// TestCIRunsTargets holds CI to calling make targets that exist, and people to the same commands.
func TestCIRunsTargets(t *testing.T) {
	cases := map[string]struct {
		reason  string
		file    string
		pattern string
		atLeast []string
	}{
		"Run": {
			reason:  ".ci/run checks all that the project promises",
			file:    ".ci/run",
			pattern: `(?m)^step \S+ (\S+)`,
			atLeast: []string{"bench", "demo", "lint", "site", "test-all"},
		},
		"Contributing": {
			reason:  "the documented targets exist",
			file:    "CONTRIBUTING.md",
			pattern: "(?m)(?:^|`)make ([a-z-]+)",
			atLeast: []string{"demo", "lint", "site", "test", "test-all"},
		},
	}
	known := targets(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			called := slices.Compact(firsts(tc.pattern, read(t, tc.file)))
			for _, target := range tc.atLeast {
				if !slices.Contains(called, target) {
					t.Errorf("%s: %s does not call make %s", tc.reason, tc.file, target)
				}
			}
			for _, target := range called {
				if !slices.Contains(known, target) {
					t.Errorf("%s: %s calls make %s, which does not exist", tc.reason, tc.file, target)
				}
			}
		})
	}
}
