package main

import (
	"strings"
	"testing"
)

func TestFunctionBounds(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		"time":        {"a function that takes longer is stopped", []string{"--function-timeout", "300ms"}, exitFailed, `"sleep" ran longer than 300ms`},
		"no time":     {"no time at all is a mistake", []string{"--function-timeout", "0s"}, exitUsage, "--function-timeout 0s: want more than 0"},
		"not memory":  {"an amount must be one", []string{"--function-memory", "lots"}, exitUsage, "want an amount like 512Mi or 2Gi"},
		"too little":  {"no program starts with so little", []string{"--function-memory", "1Mi"}, exitUsage, "want 16Mi or more"},
		"less than 0": {"nor with less than nothing", []string{"--function-memory=-1Gi"}, exitUsage, "want 16Mi or more"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{
				"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - exec: sleep 60\n",
			})
			r := runCLI(t, append([]string{"fn", "render", dir, "--allow-exec"}, c.args...)...)
			if r.code != c.code || !strings.Contains(r.stderr, c.want) {
				t.Errorf("%s: %+v, want exit status %d and %q", c.reason, r, c.code, c.want)
			}
		})
	}
}
