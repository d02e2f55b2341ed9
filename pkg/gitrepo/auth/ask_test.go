package auth_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestAsk lets in by what helpers know and by .netrc, and looks at what the helpers know then.
func TestAsk(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"a": "1"})})
	url := gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret"))
	root := strings.TrimSuffix(url, "/repo.git")
	good, bad := strings.Replace(root, "://", "://me:s3cret@", 1)+"\n", strings.Replace(root, "://", "://me:wr0ng@", 1)+"\n"
	const machine = "machine 127.0.0.1 login me password "
	for name, tc := range map[string]struct {
		reason, stored, netrc string
		mode                  os.FileMode
		noHelper              bool
		left, says            string // left in the store; what an error says
	}{
		"known":       {reason: "what lets in is kept", stored: good, left: good},
		"stale":       {reason: "what does not is forgotten", stored: bad, says: "the server refused the credentials of git's credential helper, and the helper may have deleted them"},
		"nothing":     {reason: "who was asked is said, and what to do", says: "git's credential helpers have no credentials for it, and .netrc has none for it; store them with a credential helper of git"},
		"no helper":   {reason: "also without a helper", noHelper: true, says: "no credential helper is configured"},
		"netrc":       {reason: "the file is for what helpers do not know, and stays the only one that has it", netrc: machine + "s3cret"},
		"netrc stale": {reason: "it is named when it is wrong", netrc: machine + "wr0ng", says: ".netrc; store them with"},
		"helper wins": {reason: "helpers go before it", stored: good, netrc: machine + "wr0ng", left: good},
		"open netrc":  {reason: "one that others may read is not used", netrc: machine + "s3cret", mode: 0o644, says: "may be read by others (mode 0644) and is not used"},
		"odd netrc":   {reason: "what is not understood is not repeated", netrc: "machine 127.0.0.1\nlogin me passwd wr0ng", says: ".netrc line 2 is not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			file := stored(t, tc.stored)
			if tc.noHelper {
				configure(t)
			}
			t.Setenv("HOME", t.TempDir())
			t.Setenv("NETRC", "")
			if tc.netrc != "" {
				netrc(t, tc.netrc, tc.mode)
			}
			_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{Ask: auth.Ask})
			if (err == nil) != (tc.says == "") || err != nil && (!strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "wr0ng") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.left, strings.ReplaceAll(read(t, file), "%3a", ":")); diff != "" {
				t.Errorf("%s: the store (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// netrc writes the file of the user's home.
func netrc(t *testing.T, text string, mode os.FileMode) {
	t.Helper()
	file := filepath.Join(os.Getenv("HOME"), ".netrc")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if mode != 0 {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRewrites(t *testing.T) {
	configure(t, "url.https://mirror.example/.insteadOf=https://git.example/", "url.git@Mirror.example:deep/.insteadOf=https://git.example/deep/",
		"url./srv/second/.insteadOf=https://git.example/", "url.https://mirror.example/gh/.insteadOf=gh:", "url.https://nowhere.example/.insteadOf=")
	rewrite, err := auth.Rewrites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ reason, url, want string }{
		"prefix":  {"what begins like that is replaced", "https://git.example/a.git", "https://mirror.example/a.git"},
		"longest": {"by the longest beginning", "https://git.example/deep/a.git", "git@Mirror.example:deep/a.git"},
		"short":   {"a name of the user's own", "gh:o/r", "https://mirror.example/gh/o/r"},
		"other":   {"nothing else is", "https://other.example/https://git.example/a", "https://other.example/https://git.example/a"},
	} {
		for range 50 { // whatever order they are looked at
			if got := rewrite(tc.url); got != tc.want {
				t.Fatalf("%s: %s: got %q, want %q", name, tc.reason, got, tc.want)
			}
		}
	}
	configure(t)
	if rewrite, err := auth.Rewrites(t.Context()); err != nil || rewrite("x") != "x" {
		t.Errorf("most have none: %v", err)
	}
	t.Setenv("GIT_CONFIG_COUNT", "nonsense")
	if _, err := auth.Rewrites(t.Context()); err == nil {
		t.Error("a configuration that git cannot read is an error")
	}
	t.Setenv("PATH", "")
	if rewrite, err := auth.Rewrites(t.Context()); err != nil || rewrite("x") != "x" {
		t.Errorf("without git there are none: %v", err)
	}
}
