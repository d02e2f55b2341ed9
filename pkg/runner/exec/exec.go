// Package exec runs functions that are executables on this machine.
//
// Shape: New splits the Kptfile's exec line like a shell would, without expanding anything, and
// gives a Runner. Bounds: a time limit, after which the whole process group is killed, a limit on
// what the program may print, and on Linux one on its memory. What it leaves behind is killed, too.
// Cost: beside the program, memory for what it is given and what it prints, once each.
// Errors: *runner.Failure for a program that exits non-zero; others name the program and say what
// could not be run, how it overstepped, or what is wrong with what it printed.
package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	osexec "os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/google/shlex"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Limits bound one run. A zero field means its default.
type Limits struct {
	Time   time.Duration // default 5 minutes, as kpt has it
	Output int           // most bytes on stdout; default 1 GiB. stderr is cut at 1 MiB
	Memory int64         // most bytes of data of each process of an executable, on Linux; default no limit
}

const stderrLimit = 1 << 20

func (l Limits) withDefaults() Limits {
	if l.Time == 0 {
		l.Time = 5 * time.Minute
	}
	if l.Output == 0 {
		l.Output = fn.MaxListBytes
	}
	return l
}

// New makes a Runner of a command line.
func New(commandLine string, limits Limits) (runner.Runner, error) {
	argv, err := shlex.Split(commandLine)
	if err != nil {
		return nil, fmt.Errorf("exec %q: %w", commandLine, err)
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, fmt.Errorf("exec %q names no program", commandLine)
	}
	if strings.ContainsRune(commandLine, 0) {
		return nil, fmt.Errorf("exec %q holds a NUL byte, which no program can be given", commandLine)
	}
	if limits.Memory != 0 && !canLimitMemory(limits.Memory) {
		return nil, fmt.Errorf("exec %q: a memory limit of %d bytes: only Linux limits it, to 1024 bytes or more", commandLine, limits.Memory)
	}
	return program{argv, limits}, nil
}

type program struct {
	argv   []string
	limits Limits
}

func (p program) Kind() string { return "exec" }

func (p program) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	var failed error // to run, which names the program already
	out, err := runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		argv, err := withMemory(p.argv, p.limits.Memory)
		if err != nil {
			failed = err
			return nil, nil, 0, err
		}
		stdout, stderr, code, err := Run(ctx, argv, stdin, p.limits)
		failed = err
		return stdout, stderr, code, err
	})
	var said *runner.Failure
	if err != nil && failed == nil && !errors.As(err, &said) {
		err = fmt.Errorf("%q: %w", p.argv[0], err)
	}
	return out, err
}

// Run runs a program once within limits of time and output. Exiting with a status is no error.
func Run(ctx context.Context, argv []string, stdin []byte, limits Limits) (stdout, stderr []byte, code int, err error) {
	limits = limits.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	cmd := osexec.CommandContext(ctx, argv[0], argv[1:]...) // #nosec G204 -- running it is the point; only when allowed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = patience
	out := bounded{limit: limits.Output, expect: len(stdin) + len(stdin)/8, overflow: cancel}
	talk := bounded{limit: stderrLimit, cut: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &talk
	err = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind; most often nothing
	}
	name := nameOf(argv)
	switch state := cmd.ProcessState; {
	case out.over:
		return nil, nil, 0, fmt.Errorf("%q printed more than %d bytes and was stopped", name, limits.Output)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, nil, 0, fmt.Errorf("%q ran longer than %s and was stopped", name, limits.Time)
	case ctx.Err() != nil:
		return nil, nil, 0, ctx.Err()
	case errors.Is(err, osexec.ErrWaitDelay):
		return nil, nil, 0, fmt.Errorf("%q left a process behind that may print more; it was stopped", name)
	case state == nil:
		return nil, nil, 0, err // it says what could not be started
	case state.ExitCode() < 0:
		return nil, nil, 0, fmt.Errorf("%q was ended by a signal: %s%s", name, state, hint(talk.buf.String()))
	}
	return out.buf.Bytes(), talk.buf.Bytes(), cmd.ProcessState.ExitCode(), nil // not reading all of stdin is no error
}

// patience is how long what a program started may hold its output open after the program ended.
const patience = 2 * time.Second

func hint(stderr string) string {
	if text := runner.LastLine(stderr); text != "" {
		return ": " + text
	}
	return ""
}

// bounded is a buffer that takes no more than limit bytes. The buffer is not embedded: its ReadFrom
// would be found by io.Copy and would know no limit.
type bounded struct {
	buf      bytes.Buffer
	limit    int
	expect   int  // how much is likely to come: room for it is made at once, not by doubling
	cut      bool // drop what is too much instead of stopping the program
	over     bool
	overflow func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Cap() == 0 {
		b.buf.Grow(min(max(b.expect, len(p)), b.limit))
	}
	room := b.limit - b.buf.Len()
	if len(p) <= room {
		return b.buf.Write(p)
	}
	b.buf.Write(p[:max(room, 0)])
	if !b.cut && !b.over {
		b.over = true
		b.overflow()
	}
	return len(p), nil
}
