package container

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/runner/exec"
)

func TestRefusedBeforeAnythingRuns(t *testing.T) {
	cases := map[string]struct {
		reason string
		opts   Options
		want   string
	}{
		"policy": {"a pull policy that is none", Options{Engine: "podman", PullPolicy: "Sometimes"}, "want IfNotPresent, Always or Never"},
		"engine": {"an engine that is not installed", Options{Engine: "no-such-engine"}, "needs a container engine"},
		"memory": {"less memory than a container starts with", Options{Engine: "true", Limits: exec.Limits{Memory: 1000}}, "a memory limit of 1000 bytes: a container needs 16777216 or more"},
		"time":   {"no time at all", Options{Engine: "true", Limits: exec.Limits{Time: -time.Second}}, "a time limit of -1s"},
		"procs":  {"no process at all", Options{Engine: "true", Processes: -1}, "a limit of -1 processes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := New("registry.example/f:v1", c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: err = %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

// TestNoCgroups has an engine that may not limit anything, as rootless ones are on some machines: what
// no option limits runs all the same, and one limited by an option does not.
func TestNoCgroups(t *testing.T) {
	bin := t.TempDir()
	engine := `#!/bin/sh
case "$*" in *--pids-limit*|*--memory*) echo 'Error: crun: the requested cgroup controller is not available' >&2; exit 126;; esac
cat
`
	if err := os.WriteFile(filepath.Join(bin, "nerdctl"), []byte(engine), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Cleanup(func() { noCgroups.Delete("nerdctl") })
	cases := map[string]struct {
		reason string
		opts   Options
		runs   bool
	}{
		"nothing named": {"defaults give way", Options{}, true},
		"memory":        {"a limit that is asked for is kept or nothing runs", Options{Limits: exec.Limits{Memory: 64 << 20}}, false},
		"processes":     {"this one, too", Options{Processes: 10}, false},
		"again":         {"what was learnt is remembered", Options{Limits: exec.Limits{Time: time.Minute}}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.opts.Engine = "nerdctl"
			f, err := New("registry.example/f:v1", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			stdout, _, _, err := f.Process(context.Background(), []byte("echo"))
			if ran := err == nil && string(stdout) == "echo"; ran != c.runs {
				t.Errorf("%s: ran: %v (%q, %v)", c.reason, ran, stdout, err)
			}
		})
	}
}
