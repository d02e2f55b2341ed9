package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestTutorials types every command of every tutorial, each in a shell and an empty folder of its own: the output is what the page
// shows.
func TestTutorials(t *testing.T) {
	testenv.Need(t, testenv.Git)
	pages, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d tutorials: %v", len(pages), err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			path := buildWaybill(t)
			if strings.Contains(strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n"), "kpt ") {
				testenv.Need(t, testenv.Kpt)
				path += ":" + buildFunctions(t)
			}
			env := append(gitUser(t), "PATH="+path+":"+os.Getenv("PATH"), "WAYBILL_CACHE_DIR="+t.TempDir(),
				"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
			checkShown(t, page, "", runPage(t, page, t.TempDir(), strings.NewReplacer(), env...))
		})
	}
}
