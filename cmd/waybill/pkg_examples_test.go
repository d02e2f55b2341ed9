package main

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPkgExamplesRun runs what the help of these commands shows, one after the other, beside a repository
// that has what they speak of.
func TestPkgExamplesRun(t *testing.T) {
	o := gotEdge(t)
	url := gittest.NewHTTP(t, o.bare)
	must(t, os.RemoveAll("edge"))
	mustRun(t, "pkg", "get", o.bare+"/edge@v1", "v1")
	mustRun(t, "pkg", "get", o.bare+"/edge@v2", "v2")
	for _, verb := range []string{"get", "diff", "update", "merge"} {
		cmd, _, err := newRootCommand().Find([]string{"pkg", verb})
		must(t, err)
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			words := strings.Fields(strings.Replace(line, "https://git.example.com/blueprints.git", url, 1))
			if len(words) == 0 || words[0] != "waybill" {
				continue
			}
			commitAll(t, ".", "before "+line)
			if r := runCLI(t, words[1:]...); r.code != exitDone {
				t.Errorf("%s: exit code %d, stderr:\n%s", line, r.code, r.stderr)
			}
		}
	}
	if _, err := os.Stat("edge-berlin/package-context.yaml"); err != nil {
		t.Error(err)
	}
}
