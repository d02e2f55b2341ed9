package depcheck

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestReleaseIsReproducible makes the files of a release for one platform in two folders, under different umasks and time zones, and
// compares their bytes.
func TestReleaseIsReproducible(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.Releaser)
	first := releaseSnapshot(t, filepath.Join(t.TempDir(), "first"), "umask 022; export TZ=UTC")
	second := releaseSnapshot(t, filepath.Join(t.TempDir(), "of", "another", "length"), "umask 077; export TZ=Pacific/Auckland LC_ALL=C")
	for name, content := range first {
		if !bytes.Equal(content, second[name]) {
			t.Errorf("%s differs: %d and %d bytes", name, len(content), len(second[name]))
		}
	}
	if diff := cmp.Diff(names(first), names(second)); diff != "" {
		t.Errorf("other files in another folder:\n%s", diff)
	}
	var kinds []string
	for _, name := range names(first) {
		kinds = append(kinds, regexp.MustCompile(`_.*_amd64`).ReplaceAllString(name, ""))
	}
	want := []string{"checksums.txt", "homebrew/Casks/waybill.rb", "krew/waybill.yaml", "kubectl-waybill.tar.gz", "waybill-controller.cdx.json",
		"waybill.apk", "waybill.cdx.json", "waybill.deb", "waybill.rpm", "waybill.tar.gz"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("files of a release for linux/amd64 (-want +got):\n%s", diff)
	}
	checkVersion(t, first)
}

// checkVersion wants the programs of the archive to name their commit, and no release.
func checkVersion(t *testing.T, files map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if !strings.HasPrefix(name, "waybill_") || !strings.HasSuffix(name, ".tar.gz") {
			continue
		}
		cmd := exec.Command("tar", "--extract", "--gzip", "--directory", dir)
		cmd.Stdin = bytes.NewReader(content)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	for _, program := range []string{"waybill", "waybill-controller"} {
		out, err := exec.Command(filepath.Join(dir, program), "version", "--output", "json").Output() // #nosec G204 -- a test
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		var got struct {
			Version, Commit, Date string
			Modified              bool
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if got.Version != "devel" || len(got.Commit) != 40 || got.Date != copyDate || got.Modified {
			t.Errorf("%s of a snapshot says that it is %+v", program, got)
		}
	}
}

const copyDate = "2026-01-02T03:04:05Z"

// releaseSnapshot copies what the working tree holds into a folder, commits it there, and returns the files of make release-snapshot.
func releaseSnapshot(t *testing.T, dir, before string) map[string][]byte {
	t.Helper()
	from, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	script := before + `
set -euo pipefail
mkdir -p "$1"
git -C "$2" ls-files -z --cached --others --exclude-standard | (cd "$2" && xargs -0 ls -d 2>/dev/null || true) |
	tar --create --directory "$2" --files-from - | tar --extract --directory "$1"
cd "$1"
git init --quiet
git add --all
git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false commit --quiet --message=copy
make release-snapshot PLATFORMS=linux/amd64`
	cmd := exec.Command("bash", "-c", script, "bash", dir, from) // #nosec G204 -- a test
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+copyDate, "GIT_COMMITTER_DATE="+copyDate)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make release-snapshot: %v\n%s", err, out)
	}
	return releaseFiles(t, filepath.Join(dir, "dist/release"))
}

// releaseFiles reads what is published: goreleaser also keeps its own settings, and the programs as they were built.
func releaseFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"*.tar.gz", "*.zip", "*.deb", "*.rpm", "*.apk", "*.cdx.json", "checksums.txt", "homebrew/*/*", "krew/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if files[strings.TrimPrefix(file, dir+"/")], err = os.ReadFile(file); err != nil { // #nosec G304 -- a folder of the test
				t.Fatal(err)
			}
		}
	}
	return files
}

func names(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
