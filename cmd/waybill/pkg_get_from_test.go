package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TestPkgGetRelative writes down where a repository is, not how one gets there from here.
func TestPkgGetRelative(t *testing.T) {
	o := newPkgOrigin(t)
	t.Chdir(filepath.Dir(o.bare))
	mustRun(t, "pkg", "get", "repo.git/edge@v1", "mine")
	if k := readText(t, "mine/Kptfile"); strings.Count(k, "repo: "+strings.TrimSuffix(o.bare, ".git")+"\n") != 2 {
		t.Errorf("Kptfile:\n%s", k)
	}
	t.Chdir("mine")
	mustRun(t, "pkg", "diff", "--no-cache")
}

// TestPkgGetWeb fetches over HTTP by all who may, and writes no password down.
func TestPkgGetWeb(t *testing.T) {
	o := newPkgOrigin(t)
	open := gittest.NewHTTP(t, o.bare)
	shut := gittest.NewHTTP(t, o.bare, gittest.BasicAuth("ada", "s3cret"))
	with := strings.Replace(shut, "http://", "http://ada:s3cret@", 1)
	store := filepath.Join(t.TempDir(), "store")
	cases := map[string]struct {
		reason, url, stored string
		code                int
		says                string
	}{
		"Open":      {"anyone may", open, "", exitDone, "Fetched 1 package(s).\n"},
		"InURL":     {"as the URL says", with, "", exitDone, "warning: the credentials in the URL are not stored"},
		"Helper":    {"as Git's helpers know", shut, with, exitDone, "Fetched 1 package(s).\n"},
		"None":      {"no credentials", shut, "", exitFailed, "authentication failed"},
		"WrongHelp": {"what is known is wrong", shut, strings.Replace(with, "s3cret", "s3cond", 1), exitFailed, "authentication failed"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("GIT_CONFIG_COUNT", "1")
			t.Setenv("GIT_CONFIG_KEY_0", "credential.helper")
			t.Setenv("GIT_CONFIG_VALUE_0", "store --file='"+store+"'")
			t.Setenv("GIT_ASKPASS", "")
			writeFile(t, store, strings.TrimSuffix(tc.stored, "/repo.git")+"\n", 0o600)
			r := runCLI(t, "pkg", "get", tc.url+"/edge@v1", "--no-cache")
			checkSilent(t, r, "s3cret", "s3cond")
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Fatalf("%s: exit code %d, stderr:\n%s", tc.reason, r.code, r.stderr)
			}
			if tc.code != exitDone {
				checkOnly(t, ".")
				return
			}
			where, _, _ := strings.Cut(strings.Replace(tc.url, "ada:s3cret@", "", 1), ".git")
			if k := readText(t, "edge/Kptfile"); strings.Count(k, "repo: "+where+"\n") != 2 || strings.Contains(k, "s3cret") {
				t.Errorf("%s: Kptfile:\n%s", tc.reason, k)
			}
		})
	}
}

// TestPkgGetCached fetches a commit that was fetched before although its repository is gone.
func TestPkgGetCached(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	o := newPkgOrigin(t)
	t.Chdir(t.TempDir())
	target := o.bare + "/edge@" + o.commitID(t, "v1")
	mustRun(t, "pkg", "get", target, "one")
	if err := os.Rename(o.bare, o.bare+".away"); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		env  string
		args []string
		code int
	}{
		"Cached": {"", nil, exitDone}, "Flag": {"", []string{"--no-cache"}, exitFailed}, "Variable": {"1", nil, exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(cli.NoCacheVariable, tc.env)
			if r := runCLI(t, append([]string{"pkg", "get", target, name}, tc.args...)...); r.code != tc.code {
				t.Errorf("exit code %d, stderr:\n%s", r.code, r.stderr)
			}
		})
	}
	one, err := pkgtree.ReadDir("one", pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Kptfile"}, one.Diff(readTree(t, "Cached"))); diff != "" {
		t.Errorf("what differs but the name (-want +got):\n%s", diff)
	}
	t.Setenv(cli.CacheDirVariable, "/dev/null")
	if r := runCLI(t, "pkg", "get", o.bare+".away/edge@v1", "two"); !strings.Contains(r.stderr, "error: ") {
		t.Errorf("%+v", r) // .git does not end that name
	}
	if err := os.Rename(o.bare+".away", o.bare); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, "pkg", "get", o.bare+"/edge@v1", "two"); strings.Count(r.stderr, `warning: repository cache "/dev/null/repositories": `) != 1 {
		t.Errorf("a cache that cannot be:\n%s", r.stderr)
	}
}

// TestPkgGetWorkTree takes a package from the folder of a work tree, named by its ".git", as kpt does.
func TestPkgGetWorkTree(t *testing.T) {
	o := newPkgOrigin(t)
	tree := filepath.Join(t.TempDir(), "tree")
	command(t, nil, "git", "clone", "-q", o.bare, tree)
	cases := map[string]struct{ reason, from, target, repo string }{
		"path":     {"an absolute path", ".", tree + "/.git/edge@v1", tree},
		"URL":      {"a URL", ".", "file://" + tree + "/.git/edge@v1", "file://" + tree},
		"relative": {"a path from here", filepath.Dir(tree), "tree/.git/edge@v1", tree},
		"here":     {"the work tree around here", tree, "./.git/edge@v1", tree},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(tc.from)
			mine := filepath.Join(t.TempDir(), "mine")
			mustRun(t, "pkg", "get", tc.target, mine)
			if k := readText(t, filepath.Join(mine, "Kptfile")); strings.Count(k, "repo: "+tc.repo+"\n") != 2 {
				t.Errorf("%s: Kptfile:\n%s", tc.reason, k)
			}
			mustRun(t, "pkg", "diff", mine)
			kpts := strings.ReplaceAll(readText(t, filepath.Join(mine, "Kptfile")), "repo: "+tc.repo+"\n", "repo: "+tc.repo+"/\n")
			writeFile(t, filepath.Join(mine, "Kptfile"), kpts, 0o644)
			mustRun(t, "pkg", "diff", mine) // kpt writes the slash down
		})
	}
}
