package auth_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// configure makes these options, and no others, git's configuration.
func configure(t *testing.T, options ...string) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_COUNT", strconv.Itoa(len(options)))
	for i, o := range options {
		key, value, _ := strings.Cut(o, "=")
		t.Setenv("GIT_CONFIG_KEY_"+strconv.Itoa(i), key)
		t.Setenv("GIT_CONFIG_VALUE_"+strconv.Itoa(i), value)
	}
	t.Chdir(t.TempDir()) // in no repository, with a configuration of its own
	t.Setenv("GIT_ASKPASS", "")
	t.Setenv("SSH_ASKPASS", "")
}

// stored makes git's own store the helper, and returns its file.
func stored(t *testing.T, lines string, more ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "store")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, append(more, "credential.helper=store --file='"+file+"'")...)
	return file
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func show(c auth.Credentials) string { return c.Username + ":" + c.Password + c.BearerToken }

func TestFill(t *testing.T) {
	const known = "https://me:s3cret@git.example\nhttps://you:0ther@git.example\nhttps://me:p%20w%3D@git.example:8443\nhttp://me:plain@git.example\nhttps://me:path@git.example/a/b.git\n"
	for name, tc := range map[string]struct {
		reason, url, want string
		options           []string
	}{
		"host":          {reason: "a host's password is found", url: "https://git.example/org/repo.git", want: "me:s3cret"},
		"letters":       {reason: "however the scheme is written", url: "HTTPS://git.example/org/repo.git", want: "me:s3cret"},
		"user":          {reason: "that of the user who is named", url: "https://you@git.example/org/repo.git", want: "you:0ther"},
		"port":          {reason: "another port is another host", url: "https://git.example:8443/x", want: "me:p w="},
		"scheme":        {reason: "and so is the plain protocol", url: "http://git.example/x", want: "me:plain"},
		"path":          {reason: "a path counts where the user wants it", url: "https://git.example/a/b.git/", want: "me:path", options: []string{"credential.useHttpPath=true"}},
		"in the URL":    {reason: "a password in the URL needs no helper", url: "https://u:p@nowhere.example/x", want: "u:p"},
		"unknown":       {reason: "no helper knows another host", url: "https://other.example/x", want: ":"},
		"unknown user":  {reason: "or another user", url: "https://him@git.example/x", want: ":"},
		"ssh":           {reason: "keys are not asked for", url: "ssh://me@git.example/x", want: ":"},
		"short":         {reason: "in whatever form", url: "me@git.example:x", want: ":"},
		"folder":        {reason: "folders need none", url: "/srv/x.git", want: ":"},
		"file":          {reason: "by a URL neither", url: "file:///srv/x.git", want: ":"},
		"like a scheme": {reason: "not even one of that name", url: "https", want: ":"},
	} {
		t.Run(name, func(t *testing.T) {
			stored(t, known, tc.options...)
			got, err := auth.Fill(t.Context(), tc.url)
			if err != nil || show(got) != tc.want {
				t.Errorf("%s: got %s, %v; want %s", tc.reason, show(got), err, tc.want)
			}
		})
	}
}

func TestFillErrors(t *testing.T) {
	loud := "!echo s3cret >&2; "
	for name, tc := range map[string]struct{ reason, url, helper, says string }{
		"newline":     {"a line's end in a path would be another line", "https://git.example/x%0ahost=evil.example", "", "holds the end of a line"},
		"in a user":   {"so it would in a name", "https://me%0d@git.example/x", "", "holds the end of a line"},
		"raw":         {"a raw one is no URL", "https://me:s3cret@git.example/x\nhost=evil", "", "cannot be parsed"},
		"broken":      {"a broken URL does not show its password", "https://me:s3cret@git.example:port/", "", "cannot be parsed"},
		"no host":     {"a host must be there", "https:///x", "", "names no host"},
		"bad helper":  {"what a helper says is not repeated", "https://git.example/x", loud + "echo =; echo nonsense; exit 3;", ""},
		"bad options": {"git's trouble is told apart from a helper that knows nothing", "https://git.example/x", "\x00", "git credential fill failed (exit status 128): run it by hand"},
	} {
		t.Run(name, func(t *testing.T) {
			configure(t, "credential.helper="+strings.Trim(tc.helper, "\x00"))
			if tc.helper == "\x00" {
				t.Setenv("GIT_CONFIG_COUNT", "nonsense")
			}
			got, err := auth.Fill(t.Context(), tc.url)
			if got != (auth.Credentials{}) || (err == nil) != (tc.says == "") {
				t.Fatalf("%s: got %s, %v", tc.reason, show(got), err)
			}
			if err != nil && (!strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", "")
		if _, err := auth.Fill(t.Context(), "https://git.example/x"); err == nil || !strings.Contains(err.Error(), "install it, or put its folder on PATH") {
			t.Errorf("without git there are no helpers, and that is said: %v", err)
		}
	})
	t.Run("hangs", func(t *testing.T) {
		configure(t, "credential.helper=!sleep 20;")
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if _, err := auth.Fill(ctx, "https://git.example/x"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a helper is waited for no longer than the context allows: %v", err)
		}
	})
}

// TestHelpersDoNotPrompt has programs that ask the user: only the one that the user named for git is run.
func TestHelpersDoNotPrompt(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "ask")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho asked >> '"+dir+"/log'\necho answer\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	configure(t, "core.askPass="+program)
	t.Setenv("SSH_ASKPASS", program)
	if c, err := auth.Fill(t.Context(), "https://git.example/x"); err != nil || show(c) != ":" {
		t.Errorf("no helper should be asked, and there was an answer: %s, %v", show(c), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "log")); err == nil {
		t.Error("a program was run that asks the user")
	}
	t.Setenv("GIT_ASKPASS", program)
	if c, err := auth.Fill(t.Context(), "https://git.example/x"); err != nil || show(c) != "answer:answer" {
		t.Errorf("the program that GIT_ASKPASS names may ask: %s, %v", show(c), err)
	}
}

func TestReport(t *testing.T) {
	file := stored(t, "")
	const url = "https://git.example/org/repo.git"
	c := auth.Credentials{Username: "me", Password: "s3cret"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(auth.Report(t.Context(), url, c, true))
	if got, err := auth.Fill(t.Context(), url); err != nil || got != c {
		t.Errorf("what was approved is kept: %s, %v", show(got), err)
	}
	before := read(t, file)
	must(auth.Report(t.Context(), url, auth.Credentials{Username: "other", Password: "s3cret"}, false))
	must(auth.Report(t.Context(), "ssh://git.example/x", c, false))
	must(auth.Report(t.Context(), url, auth.Credentials{BearerToken: "t"}, false))
	must(auth.Report(t.Context(), url, auth.Credentials{BearerToken: "t"}, true))
	if diff := cmp.Diff(before, read(t, file)); diff != "" {
		t.Errorf("what is about something else changes nothing (-before +after):\n%s", diff)
	}
	must(auth.Report(t.Context(), url, c, false))
	if got := read(t, file); got != "" {
		t.Errorf("what was rejected is forgotten: %q", got)
	}
	err := auth.Report(t.Context(), url, auth.Credentials{Username: "me", Password: "s3cret\nhost=evil.example"}, true)
	if err == nil || strings.Contains(err.Error(), "s3cret") || read(t, file) != "" {
		t.Errorf("a password is one line: %v", err)
	}
}

// TestFetch has the helper let gitrepo in, and only where it should.
func TestFetch(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"a": "1"})})
	url := gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret"))
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/repo.git")
	for name, tc := range map[string]struct {
		reason, known string
		ok            bool
	}{
		"known":      {"a password that is known lets in", "http://me:s3cret@" + host + "\n", true},
		"wrong":      {"a wrong one does not", "http://me:wr0ng@" + host + "\n", false},
		"other host": {"nor does another host's", "http://me:s3cret@localhost:1\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			stored(t, tc.known)
			f, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{Ask: auth.Ask})
			var refused *gitrepo.AuthError
			if (err == nil) != tc.ok || err == nil && f.Tree.Len() != 1 || err != nil && (!errors.As(err, &refused) || strings.Contains(err.Error(), "wr0ng")) {
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}
