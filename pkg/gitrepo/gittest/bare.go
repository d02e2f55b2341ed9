// Package gittest gives tests real Git repositories: bare ones on disk, and the same over HTTP.
//
// Shape: NewBare makes a repository, Commit writes to it with real git, NewHTTP serves it with
// git http-backend on the loopback. All of it is removed when the test ends. Helpers take a testing.TB
// and fail it themselves. Every commit they make has a fixed author and the time it was given, so
// that ids repeat.
// Cost: at most one git process per call.
// Errors: they fail the test.
// Source: Git documentation, git-http-backend.
package gittest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// Epoch is a time to count from in tests.
var Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// NewBare makes an empty bare repository and returns its directory. Its HEAD names main. It runs
// no housekeeping of its own accord, and takes pushes over HTTP.
func NewBare(t testing.TB) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	dir := filepath.Join(t.TempDir(), "repo.git")
	if err := os.CopyFS(dir, emptyBare(t)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Config sets one option, given as key=value, of the repository in dir.
func Config(t testing.TB, dir, option string) {
	t.Helper()
	key, value, _ := strings.Cut(option, "=")
	Git(t, dir, "config", key, value)
}

// Git runs git in dir, apart from the configuration of this machine, and returns its output
// without the final newline.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return run(t, dir, "", args...)
}

func run(t testing.TB, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = Env()
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(stdout.String(), "\n")
}

// Env is this process's environment without anything that steers git.
func Env() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	return append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
}

// Change is one commit to make: Files replaces or adds whole files, a nil value deletes the path.
type Change struct {
	Branch  string // main when empty
	Tag     string // of the commit; none when empty
	Files   map[string]*string
	Message string    // "change" when empty
	When    time.Time // Epoch when zero
}

// Files makes the Files of a Change that deletes nothing.
func Files(files map[string]string) map[string]*string {
	out := make(map[string]*string, len(files))
	for p, s := range files {
		out[p] = &s
	}
	return out
}

// Commit adds a commit to a branch of the bare repository in dir, making the branch if need be,
// and returns its id.
func Commit(t testing.TB, dir string, c Change) string {
	t.Helper()
	c.Branch = cmp.Or(c.Branch, "main")
	c.Message = cmp.Or(c.Message, "change\n")
	if c.When.IsZero() {
		c.When = Epoch
	}
	ref := "refs/heads/" + c.Branch
	var in strings.Builder
	fmt.Fprintf(&in, "commit %s\nmark :1\ncommitter Seed <seed@example.com> %d +0000\ndata %d\n%s\n",
		ref, c.When.Unix(), len(c.Message), c.Message)
	if strings.Contains(Refs(t, dir)+"\n", " "+ref+"\n") {
		fmt.Fprintf(&in, "from %s^0\n", ref)
	}
	for _, p := range slices.Sorted(maps.Keys(c.Files)) {
		if s := c.Files[p]; s == nil {
			fmt.Fprintf(&in, "D %s\n", p)
		} else {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", p, len(*s), *s)
		}
	}
	if c.Tag != "" {
		fmt.Fprintf(&in, "reset refs/tags/%s\nfrom :1\n", c.Tag)
	}
	in.WriteString("get-mark :1\n")
	return run(t, dir, in.String(), "fast-import", "--quiet")
}

// Fsck fails the test unless git finds nothing wrong with the repository in dir. It has no commit-graph and no multi-pack-index
// to look at.
func Fsck(t testing.TB, dir string) {
	t.Helper()
	cmd := exec.Command("git", "-c", "core.commitGraph=false", "-c", "core.multiPackIndex=false",
		"fsck", "--strict", "--full", "--no-dangling")
	cmd.Dir = dir
	cmd.Env = Env()
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("error")) || bytes.Contains(out, []byte("warning")) {
		t.Fatalf("git fsck: %v\n%s", err, out)
	}
}

// Hook installs a shell script as a hook of the repository in dir.
func Hook(t testing.TB, dir, name, script string) {
	t.Helper()
	file := filepath.Join(dir, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}
