package testenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// releaseVariable names a folder with the files of a release, in place of the one of make release-snapshot.
const releaseVariable = "WAYBILL_RELEASE"

// ReleaseDir is the folder with the files of a release of this checkout: the one that WAYBILL_RELEASE names, or the one that make
// release-snapshot fills. A release of another commit counts as missing: its files would be tested in place of those that are meant.
func ReleaseDir() (string, error) {
	dir := os.Getenv(releaseVariable)
	if dir != "" && !filepath.IsAbs(dir) { // every test runs in a folder of its own
		return "", fmt.Errorf("%s=%q: want an absolute path", releaseVariable, dir)
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	if dir == "" {
		dir = filepath.Join(root, "dist", "release")
	}
	head, err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Output() // #nosec G204 -- our checkout
	if err != nil {
		return "", fmt.Errorf("read the commit of %s: %w", root, err)
	}
	return dir, isReleaseOf(dir, strings.TrimSpace(string(head)))
}

// isReleaseOf reports what is wrong with a folder that is to have the files of a release of a commit.
func isReleaseOf(dir, commit string) error {
	data, err := os.ReadFile(filepath.Join(dir, "metadata.json")) // #nosec G304 -- the developer's own folder
	if err != nil {
		return err
	}
	var release struct{ Commit string }
	if err := json.Unmarshal(data, &release); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "metadata.json"), err)
	}
	if release.Commit != commit {
		return fmt.Errorf("%s is of commit %q, and this checkout is at %s", dir, release.Commit, commit)
	}
	return nil
}

// moduleRoot is the folder of our go.mod.
func moduleRoot() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(mod))
	if file == "" || file == os.DevNull { // as the go command says
		return "", errors.New("this is no folder of a Go module")
	}
	return filepath.Dir(file), nil
}
