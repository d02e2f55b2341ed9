package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// cost is what one run of a program took.
type cost struct {
	Step int           `json:"step"` // its number in the year
	Wall time.Duration `json:"nanoseconds"`
	CPU  time.Duration `json:"cpuNanoseconds"`
	Peak int64         `json:"peakBytes"`   // the most memory that the program itself held
	Git  int64         `json:"gitBytes"`    // what a repository grew by
	Push int64         `json:"pushedBytes"` // what was sent to one
}

// outcome is what a program printed, and how it ended.
type outcome struct {
	stdout, stderr []byte
	code           int
}

// foreign are variables that would change what programs do: of git, of waybill, and about proxies.
var foreign = regexp.MustCompile(`^(GIT_|WAYBILL_|(?i:https?_proxy|no_proxy|all_proxy)=)`)

// command prepares a program in a folder.
func (s *simulation) command(dir, program string, args ...string) *exec.Cmd {
	return s.killable(s.ctx, dir, program, args...)
}

// killable is command until ctx ends, which kills it with SIGKILL. The program has the simulation's own Git configuration and cache, and
// its time.
func (s *simulation) killable(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...) // #nosec G204 -- git, and the waybill to simulate
	cmd.Dir = dir
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return foreign.MatchString(kv)
	})
	now := s.now()
	cmd.Env = append(env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(s.dir, "gitconfig"),
		"GIT_AUTHOR_DATE="+now.Format(time.RFC3339), "GIT_COMMITTER_DATE="+now.Format(time.RFC3339),
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", now.Unix()), "WAYBILL_CACHE_DIR="+filepath.Join(s.dir, "cache"),
		"http_proxy="+s.server.url, "HTTP_PROXY="+s.server.url)
	return cmd
}

// now is the time in the simulation: its commits are spread over a year.
func (s *simulation) now() time.Time {
	begin := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(s.step) * 365 * 24 * time.Hour / time.Duration(max(1, s.commits)))
}

// measured runs a command and counts what it took for the kind of the present step.
func (s *simulation) measured(what string, cmd *exec.Cmd) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	sent := s.server.received.Load()
	taken, err := usage.Run(cmd)
	if cmd.ProcessState == nil {
		return outcome{}, err
	}
	s.report.add(s.kind, what, cost{s.step, taken.Wall, taken.CPU, taken.Peak, 0, s.server.received.Load() - sent})
	return outcome{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}, nil
}

// waybill runs waybill in the simulation's folder. Another exit code than the wanted one breaks a law.
func (s *simulation) waybill(what string, code int, args ...string) (outcome, error) {
	out, err := s.measured(what, s.command(s.dir, s.binary, args...))
	if err != nil {
		return out, err
	}
	return out, s.law(lawExit, out.code == code, "waybill %s: exit code %d, want %d: %s",
		strings.Join(args, " "), out.code, code, tail(out.stderr))
}

// must runs and measures a command that may not fail.
func (s *simulation) must(what string, cmd *exec.Cmd) error {
	out, err := s.measured(what, cmd)
	if err == nil && out.code != 0 {
		err = fmt.Errorf("%s: exit code %d: %s", what, out.code, tail(out.stderr))
	}
	return err
}

// git runs git in a folder and returns what it prints. It is not measured.
func (s *simulation) git(dir string, args ...string) (string, error) {
	cmd := s.command(dir, "git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, tail(stderr.Bytes()))
	}
	return string(out), nil
}

// tail is the end of what a program printed.
func tail(said []byte) string {
	text := strings.TrimSpace(string(said))
	return text[max(0, len(text)-600):]
}
