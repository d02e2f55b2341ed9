package main

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// TestPkgExamplesRun runs what the help of these commands shows, one after the other, beside a repository
// that has what they speak of.
func TestPkgExamplesRun(t *testing.T) {
	o := gotEdge(t)
	url := gittest.NewHTTP(t, o.bare)
	must(t, os.RemoveAll("edge"))
	mustRun(t, "pkg", "get", o.bare+"/edge@v1", "v1")
	mustRun(t, "pkg", "get", o.bare+"/edge@v2", "v2")
	registry := ocitest.InMemory(t)
	mustRun(t, "pkg", "push", "v1", registry.URL("blueprints/edge:v1"))
	known := strings.NewReplacer("https://git.example.com/blueprints.git", url, "registry.example.com", registry.Host)
	for _, verb := range []string{"get", "diff", "update", "merge"} {
		cmd, _, err := newRootCommand().Find([]string{"pkg", verb})
		must(t, err)
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			words := strings.Fields(known.Replace(line))
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
