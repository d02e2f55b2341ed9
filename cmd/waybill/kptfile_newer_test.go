package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNewerKptfiles shows the rows of docs/kpt-differences.md about fields that newer releases of kpt know: to ignore one would render
// something else than its author wants.
func TestNewerKptfiles(t *testing.T) {
	const function = "pipeline:\n  mutators:\n  - image: set-namespace:v0.4\n    configMap: {namespace: x}\n"
	for name, tc := range map[string]struct{ reason, more, want string }{
		"when":     {"the function would run although it must not", function + "    when: size(resources) > 1\n", "unknown field pipeline.mutators[0].when (line 9)"},
		"selector": {"the function would get too much", function + "    selectors:\n    - resourceFileRegexp: a.*\n", "unknown field pipeline.mutators[0].selectors[0].resourceFileRegexp (line 10)"},
		"nulls":    {"the author relies on it", "upstream:\n  type: git\n  preserveExplicitNull: true\n", "unknown field upstream.preserveExplicitNull (line 7)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "Kptfile"), rpkgKptfile+tc.more, 0o644)
			if got := runCLI(t, "fn", "render", dir); got.code != 1 || !strings.Contains(got.stderr, "Kptfile: "+tc.want) {
				t.Errorf("%s: want %q, got %+v", tc.reason, tc.want, got)
			}
		})
	}
}
