// Package gitcmd runs the user's own git, apart from whatever repository the environment points to.
//
// Shape: Command makes a command that a context ends for certain; Run runs one to its end, and Stream reads its output
// meanwhile. Output keeps the beginning of what a program prints, OneLine makes that fit for an error.
// Cost: one process each.
// Errors: *MissingError when there is no git, *ExitError when it fails. Arguments are never repeated.
// Source: Git documentation, git(1), "Environment Variables"; what to leave out is what git rev-parse --local-env-vars
// lists, apart from configuration.
package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// foreign are the variables that point git to a repository, a part of one, or a protocol. They are meant for
// another command: in a hook they are set for the repository of the hook.
var foreign = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_QUARANTINE_PATH", "GIT_INTERNAL_SUPER_PREFIX",
	"GIT_PROTOCOL", "LANGUAGE",
}

// environ is this process's environment without what is foreign. The messages of git are in English, since callers parse
// some; hooks keep the user's character set.
func environ() []string {
	return append(without(os.Environ(), foreign...), "LANGUAGE=en")
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}

// MissingError says that there is no git to run.
type MissingError struct{ Err error }

func (e *MissingError) Error() string {
	return "git is needed for this and was not found: install it, or put its folder on PATH"
}
func (e *MissingError) Unwrap() error { return e.Err }

// ExitError says that git failed.
type ExitError struct {
	Verb   string // of git: "status"
	Output string // on one line
	Err    error
}

func (e *ExitError) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("git %s: %v", e.Verb, e.Err)
	}
	return fmt.Sprintf("git %s: %s", e.Verb, e.Output)
}
func (e *ExitError) Unwrap() error { return e.Err }

// outputDelay is how long Run waits for output when git has ended: a process that git left in the background may keep the
// pipe open.
const outputDelay = 2 * time.Second

// Command is git with these arguments. It is killed when ctx ends.
func Command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, &MissingError{Err: err}
	}
	cmd := exec.CommandContext(ctx, git, args...) // #nosec G204 -- the user's git; callers make the arguments
	cmd.Env, cmd.WaitDelay = environ(), outputDelay
	return cmd, nil
}

// Call is one run of git.
type Call struct {
	Dir     string   // where; empty is here
	Options []string // what stands before the verb
	Verb    string
	Args    []string
	Env     []string // added to the environment
	Unset   []string // taken out of it
	Stdin   string
}

// Query is a Call that only reads the repository in dir: without fsmonitor, hooks, optional locks, prompts and lazy fetches.
func Query(dir, verb string, args ...string) Call {
	return Call{
		Dir:     dir,
		Options: []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull},
		Verb:    verb, Args: args,
		Env: []string{"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"},
	}
}

// Run runs git and returns what it wrote.
func (c Call) Run(ctx context.Context) ([]byte, error) {
	var stdout bytes.Buffer
	cmd, stderr, err := c.command(ctx)
	if err != nil {
		return nil, err
	}
	cmd.Stdout = &stdout
	if err := c.result(ctx, cmd.Run(), stderr); err != nil {
		return nil, err
	}
	return stdout.Bytes(), nil
}

// Stream runs git and calls read with what it writes, while it writes. It returns the error of read, or of git if git wrote less than
// read wants.
func (c Call) Stream(ctx context.Context, read func(io.Reader) error) error {
	cmd, stderr, err := c.command(ctx)
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return c.result(ctx, err, stderr)
	}
	bad := read(stdout)
	_ = stdout.Close() // or git waits until somebody reads the rest
	err = c.result(ctx, cmd.Wait(), stderr)
	if bad == nil || err != nil && errors.Is(bad, io.ErrUnexpectedEOF) {
		return err
	}
	return bad
}

func (c Call) command(ctx context.Context) (*exec.Cmd, *Output, error) {
	cmd, err := Command(ctx, slices.Concat(c.Options, []string{c.Verb}, c.Args)...)
	if err != nil {
		return nil, nil, err
	}
	stderr := &Output{}
	cmd.Dir, cmd.Env = c.Dir, append(without(cmd.Env, c.Unset...), c.Env...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(c.Stdin), stderr
	return cmd, stderr, nil
}

// result is the error for how git ended.
func (c Call) result(ctx context.Context, err error, stderr *Output) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return &ExitError{Verb: c.Verb, Err: ctx.Err()}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // git itself ended well
		return &ExitError{Verb: c.Verb, Output: stderr.String(), Err: err}
	}
	return nil
}
