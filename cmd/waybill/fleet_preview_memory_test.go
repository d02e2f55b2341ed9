package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// TestFleetPreviewMemory limits memory before anything is read, whether the sides are rendered or not. The answer is the same.
func TestFleetPreviewMemory(t *testing.T) {
	t.Chdir(filepath.Join(previewRepo(t), "shop"))
	mustRun(t, "fn", "render", ".")
	t.Cleanup(func() { memlimit.Set(0) })
	for _, args := range [][]string{{"preview", "HEAD~1.."}, {"preview", "HEAD~1..", "--no-render"}, {"report", "-o", "-"}, {"report", "-o", "-", "--no-render"}} {
		args = append([]string{"fleet"}, args...)
		want := mustRun(t, args...)
		if r := mustRun(t, append(args, "--memory", "100Mi")...); r.stdout != want.stdout {
			t.Errorf("%q: with less memory the answer is\n%s", args, r.stdout)
		}
		if got := memlimit.Bytes(); got != 100<<20 {
			t.Errorf("%q: memory is limited to %d", args, got)
		}
		memlimit.Set(0)
		if r := runCLI(t, append(args, "--memory", "32Mi")...); r.code != exitUsage || !strings.Contains(r.stderr, `"32Mi" for "--memory" flag: want 64Mi or more`) {
			t.Errorf("%q: exit code %d, %s", args, r.code, r.stderr)
		}
	}
}
