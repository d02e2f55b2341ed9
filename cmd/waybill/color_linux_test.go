package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/style"
)

// twoFolders are two sides of a change that is risky, with a name that would act on a terminal.
const twoFolders = `
-- was/clusters/a/all.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: changed, namespace: shop}
data: {color: "\e[41mred", old: "1"}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
-- is/clusters/a/all.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: changed, namespace: shop}
data: {color: "\e[42mgreen", new: "1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "added\e[2J", namespace: shop}
`

func riskyChange(t *testing.T) []string {
	t.Helper()
	dir := writeArchive(t, twoFolders)
	return []string{"fleet", "preview", "--no-render", "--max-clusters", "0", filepath.Join(dir, "was"), filepath.Join(dir, "is")}
}

// TestColorWhere colours stdout and stderr each for itself: on a terminal, unless the environment or the flag says otherwise.
func TestColorWhere(t *testing.T) {
	preview := riskyChange(t)
	for name, tc := range map[string]struct {
		args                 []string
		env                  string
		onStdout, onStderr   bool
		wantStdout, wantErrs bool
	}{
		"Both":           {nil, "", true, true, true, true},
		"Stdout":         {nil, "", true, false, true, false},
		"Stderr":         {nil, "", false, true, false, true},
		"Pipes":          {nil, "", false, false, false, false},
		"NO_COLOR":       {nil, "NO_COLOR=1", true, true, false, false},
		"Dumb":           {nil, "TERM=dumb", true, true, false, false},
		"Never":          {[]string{"--color=never"}, "", true, true, false, false},
		"Always":         {[]string{"--color", "always"}, "NO_COLOR=1", false, false, true, true},
		"Always, data":   {[]string{"--color=always", "-o", "json"}, "", true, true, false, true},
		"Terminal, yaml": {[]string{"-o", "yaml"}, "", true, true, false, true},
		"Markdown":       {[]string{"-o", "markdown"}, "", true, true, false, true},
		"SARIF":          {[]string{"-o", "sarif"}, "", true, true, false, true},
		"Annotations":    {[]string{"-o", "github"}, "", true, true, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("NO_COLOR", "")
			if key, value, ok := strings.Cut(tc.env, "="); ok {
				t.Setenv(key, value)
			}
			r := runOnTerminals(t, 80, tc.onStdout, tc.onStderr, append(preview, tc.args...)...)
			if r.code != exitRefused || r.stdout == "" || !strings.Contains(style.Plain(r.stderr), "error: refused: ") {
				t.Fatalf("exit code %d\n%q\n%q", r.code, r.stdout, r.stderr)
			}
			if got := strings.Contains(r.stdout, "\x1b["); got != tc.wantStdout {
				t.Errorf("stdout is coloured: %v\n%q", got, r.stdout)
			}
			if got := strings.Contains(r.stderr, "\x1b["); got != tc.wantErrs {
				t.Errorf("stderr is coloured: %v\n%q", got, r.stderr)
			}
		})
	}
}

// TestColorMeanings shows what is coloured in a preview; what a user wrote stays escaped beside it.
func TestColorMeanings(t *testing.T) {
	r := runCLI(t, append(riskyChange(t), "--color=always")...)
	for _, want := range []string{
		"\x1b[1m1 of 1 cluster changes.", // the headline
		"\n\x1b[1mRisks:\x1b[0m\n  \x1b[31mhigh\x1b[0m    ",
		"\x1b[1mNamespace shop\x1b[0m: \x1b[31mremoved\x1b[0m on 1 cluster\x1b[31m  [high: ",
		"\x1b[1mConfigMap shop/changed\x1b[0m: \x1b[33m3 fields change\x1b[0m on 1 cluster",
		"\x1b[32mdata.new: added \"1\"\x1b[0m\n",
		"\x1b[31mdata.old: removed, was \"1\"\x1b[0m\n",
		"    \x1b[33mdata.color: ",
		": \x1b[32madded\x1b[0m on 1 cluster",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in:\n%q", want, r.stdout)
		}
	}
	if want := "\x1b[1;31merror:\x1b[0m refused: "; !strings.HasPrefix(r.stderr, want) {
		t.Errorf("no %q in:\n%q", want, r.stderr)
	}
	if strings.Contains(r.stdout, "\x1b[4") || strings.Contains(r.stdout, "\x1b[2J") {
		t.Errorf("the package acts on the terminal:\n%q", r.stdout)
	}
}

// TestColorAddsNothing compares what commands print in colours with what they print without: only codes are added.
func TestColorAddsNothing(t *testing.T) {
	root, err := filepath.Abs("../..")
	must(t, err)
	fleet := filepath.Join(root, "examples/edge-fleet/blueprint")
	conflicted(t)
	for _, args := range [][]string{
		riskyChange(t), append(riskyChange(t), "--all"),
		{"fleet", "explain", "zurich-1", "--dir", fleet},
		{"fleet", "explain", "lab-1/configmap/shop/feature-flags", "--dir", fleet},
		{"fn", "list"}, {"image", "list", "--dir", root}, {"push", "tables"}, {"version"}, {"fleet", "preview", "--help"}, {"--help"}, {"fleet", "frob"},
		{"pkg", "diff", "edge@v2", "--diff-type", "3way"}, {"pkg", "update", "edge@v2", "--dry-run", "--allow-dirty"},
	} {
		plain, painted := runCLI(t, args...), runCLI(t, append(args, "--color=always")...)
		if diff := cmp.Diff(plain.stdout, style.Plain(painted.stdout)); diff != "" || plain.stdout == painted.stdout && plain.stderr == painted.stderr {
			t.Errorf("%q: stdout (-plain +painted):\n%s", args, diff)
		}
		if diff := cmp.Diff(plain.stderr, style.Plain(painted.stderr)); diff != "" || plain.code != painted.code {
			t.Errorf("%q: exit codes %d and %d; stderr (-plain +painted):\n%s", args, plain.code, painted.code, diff)
		}
	}
}

// TestColorRefused refuses another value, for every command.
func TestColorRefused(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"fn", "render"}, {}} {
		r := runCLI(t, append(args, "--color=purple")...)
		if r.code != exitUsage || !strings.Contains(r.stderr, `--color "purple": want auto, always or never`) {
			t.Errorf("%q: exit code %d: %s", args, r.code, r.stderr)
		}
	}
}
