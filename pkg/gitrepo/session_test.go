package gitrepo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// impostor puts a git on PATH, and no other, that is a shell script. It has no programs but the shell's own.
func impostor(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// deaf shows one branch, closes its ears, and says then. Whatever is written to it is written in vain, for certain:
// it is deaf before it shows the branch.
func deaf(id, then string) string {
	caps := "report-status delete-refs allow-reachable-sha1-in-want"
	return fmt.Sprintf("exec 0<&-\nprintf '%%s\\000%%s\\n' '%04x%s refs/heads/main' '%s'\nprintf 0000\n%s\n",
		4+len(id+" refs/heads/main")+1+len(caps)+1, id, caps, then)
}

func say(s string) string { return "printf '" + strings.ReplaceAll(pkt(s), "\n", `\n`) + "'" }

// TestFetchUnheard has a server that answers and hangs up before the request is written.
func TestFetchUnheard(t *testing.T) {
	id := strings.Repeat("1", 40)
	lost := hash(t, strings.Repeat("2", 40))
	for name, tc := range map[string]struct{ reason, then, says string }{
		"refused": {"what it answers counts", say("ERR upload-pack: not our ref 2222"), "its history was rewritten"},
		"other":   {"whatever that is", say("ERR out of order"), "out of order"},
		"aside":   {"what it says aside is next best", "echo 'out of\n memory' >&2", "broken pipe: out of memory"},
		"silent":  {"one that says nothing is told of as such", "", "broken pipe: it printed no error"},
	} {
		t.Run(name, func(t *testing.T) {
			impostor(t, deaf(id, tc.then))
			_, err := gitrepo.FetchLocked(t.Context(), t.TempDir(), "pkg", "main", lost, gitrepo.Options{})
			var gone *gitrepo.GoneError
			if err == nil || !strings.Contains(err.Error(), tc.says) || errors.As(err, &gone) != (name == "refused") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.says)
			}
		})
	}
}

// TestPushUnheard is the same for a push.
func TestPushUnheard(t *testing.T) {
	for name, tc := range map[string]struct{ reason, then, want, says string }{
		"report": {"a report counts", say("unpack ok\n") + "\n" + say("ng refs/heads/x full moon\n") + "\nprintf 0000", "*gitrepo.RejectedError", "refs/heads/x: full moon"},
		"aside":  {"so do words, but they are no report", "echo 'disk full' >&2", "*gitrepo.UnreachableError", "broken pipe: disk full"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			id := seed(t, dir, map[string]string{"p/Kptfile": "k"})
			r := open(t, dir)
			s := r.Stage()
			_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
			impostor(t, deaf(id, tc.then))
			err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}})
			if kind(err) != tc.want || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
}

// TestLocalSilence has a git that does not answer, and another that leaves a program behind which holds on to its
// pipes: the context ends both.
func TestLocalSilence(t *testing.T) {
	sleep := "/bin/sleep 20"
	for name, script := range map[string]string{"itself": "exec " + sleep, "another": sleep, "after the refs": deaf(strings.Repeat("1", 40), "exec "+sleep)} {
		t.Run(name, func(t *testing.T) {
			impostor(t, script)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			began := time.Now()
			_, err := gitrepo.FetchPackage(ctx, t.TempDir(), "", "main", gitrepo.Options{})
			if kind(err) != "*gitrepo.UnreachableError" || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 15*time.Second {
				t.Errorf("a git that says nothing is waited for no longer than the context allows: %v after %v", err, time.Since(began))
			}
		})
	}
}

func TestLocalWithoutGit(t *testing.T) {
	dir := gittest.NewBare(t)
	t.Setenv("PATH", t.TempDir())
	_, err := gitrepo.Open(t.Context(), dir, gitrepo.Options{})
	if kind(err) != "*gitrepo.UnreachableError" || !strings.Contains(err.Error(), "install it, or put its folder on PATH") {
		t.Errorf("that there is no git is said, and what to do: %v", err)
	}
}

// TestLocalEnvironment runs as a hook would, with variables that point git to the hook's own repository.
func TestLocalEnvironment(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/Kptfile": "k"})
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH"} {
		t.Setenv(name, "/nonexistent")
	}
	t.Setenv("GIT_PROTOCOL", "version=2")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	r := open(t, dir)
	s := r.Stage()
	_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}}); err != nil {
		t.Fatal(err)
	}
	if f := fetch(t, dir, "p", "x", gitrepo.Options{}); text(f.Tree)["Kptfile"] != "k2" {
		t.Error("the repository that is meant is the one that is named")
	}
}

// TestPushWaitsForHooks has a hook that takes its time after the refs are moved.
func TestPushWaitsForHooks(t *testing.T) {
	check := func(t *testing.T, dir, url string, opts gitrepo.Options) {
		t.Helper()
		seed(t, dir, map[string]string{"p/Kptfile": "k"})
		gittest.Hook(t, dir, "post-receive", "cat >/dev/null; echo began; sleep 0.3; echo went on; touch done")
		r, err := gitrepo.Open(t.Context(), url, opts)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Stage()
		_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
		if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "done")); err != nil {
			t.Errorf("a push is over when its hooks are: %v", err)
		}
	}
	overBoth(t, func(t *testing.T, dir, url string) { check(t, dir, url, gitrepo.Options{}) })
	t.Run("ssh", func(t *testing.T) {
		server, dir := gittest.NewSSH(t), gittest.NewBare(t)
		check(t, dir, server.URL(dir), sshOptions(server))
	})
}
