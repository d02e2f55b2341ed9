package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWriteStatus writes how a render went into the root Kptfile, and nothing the second time.
func TestWriteStatus(t *testing.T) {
	cases := map[string]struct {
		reason, function string
		args             []string
		status           string // what ends the Kptfile; "" for an untouched one
		others           bool   // whether other files change
	}{
		"Success": {"each function is a step", "bump", []string{"--write-status"}, `status:
  conditions:
  - type: Rendered
    status: "True"
    reason: RenderSuccess
  renderStatus:
    mutationSteps:
    - exec: bump
      exitCode: 0
    - exec: bump
      exitCode: 0
`, true},
		"FunctionFails": {"of a failed render the status is all that is written", "fail", []string{"--write-status"}, `status:
  conditions:
  - type: Rendered
    status: "False"
    reason: RenderFailed
    message: 'render package "web": function "fail" (step 1): (app.yaml) that will not do'
  renderStatus:
    mutationSteps:
    - exec: fail
      stderr: |
        first line
        last line
      exitCode: 3
      results:
      - message: that will not do
        severity: error
        file:
          path: app.yaml
      errorResults:
      - message: that will not do
        severity: error
        file:
          path: app.yaml
    errorSummary: 'fail: exit code 3'
`, false},
		"CannotRun": {"a function that cannot run differs from one that failed", "no-such-program", []string{"--write-status"}, `status:
  conditions:
  - type: Rendered
    status: "False"
    reason: RenderFailed
    message: 'render package "web": function "no-such-program" (step 1): exec: "no-such-program": executable file not found in $PATH'
  renderStatus:
    mutationSteps:
    - exec: no-such-program
      executionError: 'exec: "no-such-program": executable file not found in $PATH'
      exitCode: 1
    errorSummary: 'no-such-program: exec: "no-such-program": executable file not found in $PATH'
`, false},
		"NotAsked":   {"the default", "bump", nil, "", true},
		"OtherPlace": {"the package is not to be touched", "bump", []string{"--write-status", "-o", "unwrap"}, "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := packageWith(t, tc.function)
			before := readTree(t, dir)
			args := append([]string{"fn", "render", dir, "--allow-exec"}, tc.args...)
			first := runCLI(t, args...)
			once := readTree(t, dir)
			had, _ := before.Get("Kptfile")
			has, _ := once.Get("Kptfile")
			if diff := cmp.Diff(string(had)+tc.status, string(has)); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", tc.reason, diff, first.stderr)
			}
			if _, moved := strings.CutPrefix(strings.Join(before.Diff(once), " "), "Kptfile "); tc.status != "" && moved != tc.others {
				t.Errorf("%s: changed are %v", tc.reason, before.Diff(once))
			}
			if runCLI(t, args...); !readTree(t, dir).Equal(once) {
				t.Errorf("a second run changes %v", once.Diff(readTree(t, dir)))
			}
		})
	}
}

// TestSaveOnFailure keeps what was done before a function failed, where the Kptfile asks for it.
func TestSaveOnFailure(t *testing.T) {
	dir := packageWith(t, "bump")
	annotated := strings.NewReplacer("  name: shop\n", "  name: shop\n  annotations:\n    kpt.dev/save-on-render-failure: \"true\"\n")
	for _, tc := range []struct{ reason, pipeline, app, said string }{
		{"nothing was done", "  - exec: fail\n  - exec: bump\n", strings.Replace(bumped, "2", "1", 1), "Failed to execute any functions in 2 package(s).\n"},
		{"one function was done", "  - exec: bump\n  - exec: fail\n", bumped, "Partially executed 1 function(s) in 2 package(s).\n"},
	} {
		kptfile := annotated.Replace("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n") + tc.pipeline
		writeFile(t, filepath.Join(dir, "Kptfile"), kptfile, 0o644)
		r := runCLI(t, "fn", "render", dir, "--allow-exec")
		if r.code != exitFailed || !strings.Contains(r.stderr, tc.said) {
			t.Errorf("%s: exit code %d, it said:\n%s", tc.reason, r.code, r.stderr)
		}
		if data, _ := readTree(t, dir).Get("app.yaml"); string(data) != tc.app {
			t.Errorf("%s: app.yaml is\n%s", tc.reason, data)
		}
	}
}

// TestTruncateOutput cuts what a function said, in kpt's words, when asked to.
func TestTruncateOutput(t *testing.T) {
	dir := packageWith(t, "chatty")
	writeFile(t, filepath.Join(dir, "../bin/chatty"), "#!/bin/sh\nseq 6 >&2\nexit 1\n", 0o755)
	whole := runCLI(t, "fn", "render", dir, "--allow-exec").stderr
	if !strings.Contains(whole, "    \"4\"\n    \"5\"\n    \"6\"\n") {
		t.Errorf("the default shows all:\n%s", whole)
	}
	cut := runCLI(t, "fn", "render", dir, "--allow-exec", "--truncate-output").stderr
	if !strings.Contains(cut, "    \"3\"\n    \"4\"\n    ...(2 line(s) truncated, use '--truncate-output=false' to disable)\n  Exit code: 1\n") {
		t.Errorf("cut it is:\n%s", cut)
	}
}
