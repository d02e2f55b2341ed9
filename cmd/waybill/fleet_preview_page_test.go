package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// promotionStep is the script in docs/preview.md that writes hydrator.metadata.
func promotionStep(t *testing.T) string {
	t.Helper()
	var script []string
	for _, block := range blocks(t, "../../docs/preview.md", "yaml") {
		i := slices.IndexFunc(block, func(line string) bool { return strings.Contains(line, "hydrator.metadata") })
		run := slices.IndexFunc(block, func(line string) bool { return strings.HasSuffix(line, "run: |") })
		if i < 0 || run < 0 {
			continue
		}
		for _, line := range block[run+1:] {
			script = append(script, strings.TrimSpace(line))
		}
	}
	if len(script) == 0 {
		t.Fatal("docs/preview.md has no such script")
	}
	return strings.Join(script, "\n")
}

// TestPromotionStep runs the script as a workflow would: a change is one commit on the next branch, that says where it is from,
// and nothing else is none.
func TestPromotionStep(t *testing.T) {
	root := previewRepo(t)
	bin := buildWaybill(t)
	gittest.Git(t, root, "mv", "shop", "staging")
	if err := os.Mkdir(filepath.Join(root, "fleet"), 0o755); err != nil {
		t.Fatal(err)
	}
	gittest.Git(t, root, "mv", "staging", "fleet/staging")
	commitAll(t, root, "moved")
	const next = "environment/staging-next"
	gittest.Git(t, root, "branch", next, "HEAD~3")
	script := promotionStep(t)
	promote := func() (commits []string, metadata string) {
		clone := filepath.Join(t.TempDir(), "clone")
		gittest.Git(t, root, "clone", "--quiet", root, clone)
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = clone
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "ENVIRONMENT=staging", "GITHUB_SERVER_URL=https://git.example.com", "GITHUB_REPOSITORY=o/r")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Fields(gittest.Git(t, root, "log", "--format=%H", next)), gittest.Git(t, root, "show", next+":hydrator.metadata")
	}
	before, metadata := promote()
	want := `{"drySha": "` + gittest.Git(t, root, "rev-parse", "main") + `", "repoURL": "https://git.example.com/o/r"}`
	if diff := cmp.Diff(want, metadata); diff != "" || len(before) != 2 {
		t.Errorf("%d commits (-want +got):\n%s", len(before), diff)
	}
	if work := gittest.Git(t, root, "show", next+":clusters/a/shop/manifestwork-0.yaml"); !strings.Contains(work, "replicas: 0") {
		t.Errorf("what was not rendered is not rendered:\n%s", work)
	}
	writeFile(t, filepath.Join(root, "beside.md"), "x", 0o644)
	commitAll(t, root, "beside")
	if again, _ := promote(); !slices.Equal(before, again) {
		t.Errorf("a change that makes no difference is a commit: %q, then %q", before, again)
	}
	writeFile(t, filepath.Join(root, "fleet", "staging", "app", "web.yaml"), edgeWeb("5", "web:1"), 0o644)
	commitAll(t, root, "scaled")
	if again, _ := promote(); len(again) != 3 || again[1] != before[0] {
		t.Errorf("a change that makes one is no commit on top: %q, then %q", before, again)
	}
}
