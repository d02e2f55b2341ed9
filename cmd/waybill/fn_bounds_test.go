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
		"no time":     {"no time at all is a mistake", []string{"--function-timeout", "0s"}, exitUsage, "--function-timeout 0s: want some time"},
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

func TestMemoryValue(t *testing.T) {
	var m memoryValue
	for text, want := range map[string]int64{"512Mi": 512 << 20, "2Gi": 2 << 30, "1G": 1e9, "16777216": 16 << 20} {
		if err := m.Set(text); err != nil || int64(m) != want {
			t.Errorf("%s is %d (%v), want %d", text, m, err, want)
		}
		var again memoryValue
		if err := again.Set(m.String()); err != nil || again != m {
			t.Errorf("%s prints as %s, which is %d (%v)", text, &m, again, err)
		}
	}
}
