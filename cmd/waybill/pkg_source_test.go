package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPkgGetAsGitIsSetUp fetches where the user's Git would, and as whom it would.
func TestPkgGetAsGitIsSetUp(t *testing.T) {
	o := newPkgOrigin(t)
	shut := gittest.NewHTTP(t, o.bare, gittest.BasicAuth("ada", "s3cret"))
	at, err := url.Parse(shut)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("NETRC", "")
	t.Setenv("GIT_ASKPASS", "")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "url."+strings.TrimSuffix(shut, "/repo.git")+"/.insteadOf")
	t.Setenv("GIT_CONFIG_VALUE_0", "https://git.example/")
	t.Chdir(t.TempDir())
	r := runCLI(t, "pkg", "get", "https://git.example/repo.git/edge@v1", "--no-cache")
	if r.code != exitFailed || !strings.Contains(r.stderr, "no credential helper is configured") || strings.Contains(r.stderr, "s3cret") {
		t.Errorf("who was asked is said: exit code %d, stderr:\n%s", r.code, r.stderr)
	}
	writeFile(t, filepath.Join(home, ".netrc"), "machine "+at.Hostname()+"\nlogin ada\npassword s3cret\n", 0o600)
	mustRun(t, "pkg", "get", "https://git.example/repo.git/edge@v1", "--no-cache")
	if k := readText(t, "edge/Kptfile"); strings.Count(k, "repo: https://git.example/repo\n") != 2 || strings.Contains(k, "s3cret") || strings.Contains(k, at.Host) {
		t.Errorf("neither the mirror nor the password is written down:\n%s", k)
	}
	mustRun(t, "pkg", "diff", "edge", "--no-cache")
}
