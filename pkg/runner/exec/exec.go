// Package exec runs functions that are executables on this machine.
//
// Shape: New splits the Kptfile's exec line like a shell would, without expanding anything, and
// gives a Runner. Bounds: a time limit, after which the whole process group is killed, and a limit
// on what the program may print.
// Errors: *runner.Failure for a program that exits non-zero; others say what could not be run.
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
	if len(argv) == 0 {
		return nil, fmt.Errorf("exec %q names no program", commandLine)
	}
	return program{argv, limits}, nil
}

type program struct {
	argv   []string
	limits Limits
}

func (p program) Kind() string { return "exec" }

func (p program) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		return Run(ctx, p.argv, stdin, p.limits)
	})
}

// Run runs a program once within limits. Exiting with a status is no error.
func Run(ctx context.Context, argv []string, stdin []byte, limits Limits) (stdout, stderr []byte, code int, err error) {
	limits = limits.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	cmd := osexec.CommandContext(ctx, argv[0], argv[1:]...) // #nosec G204 -- running it is the point; only when allowed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second // a grandchild may hold the pipes open
	var out, talk bounded
	out.limit, talk.limit, talk.cut = limits.Output, stderrLimit, true
	out.overflow = cancel
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &talk
	err = cmd.Run()
	var exit *osexec.ExitError
	switch {
	case out.over:
		return nil, nil, 0, fmt.Errorf("%q printed more than %d bytes and was stopped", argv[0], limits.Output)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, nil, 0, fmt.Errorf("%q ran longer than %s and was stopped", argv[0], limits.Time)
	case ctx.Err() != nil:
		return nil, nil, 0, ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return out.buf.Bytes(), talk.buf.Bytes(), exit.ExitCode(), nil
	case errors.As(err, &exit):
		return nil, nil, 0, fmt.Errorf("%q was ended by a signal: %s%s", argv[0], exit, hint(talk.buf.Bytes()))
	case err != nil && cmd.ProcessState != nil && cmd.ProcessState.Success():
		return out.buf.Bytes(), talk.buf.Bytes(), 0, nil // it did not read all of stdin, or left a child behind
	case err != nil:
		return nil, nil, 0, err
	}
	return out.buf.Bytes(), talk.buf.Bytes(), 0, nil
}

func hint(stderr []byte) string {
	if text := strings.TrimSpace(string(stderr)); text != "" {
		return ": " + text
	}
	return ""
}

// bounded is a buffer that takes no more than limit bytes. The buffer is not embedded: its ReadFrom
// would be found by io.Copy and would know no limit.
type bounded struct {
	buf      bytes.Buffer
	limit    int
	cut      bool // drop what is too much instead of stopping the program
	over     bool
	overflow func()
}

func (b *bounded) Write(p []byte) (int, error) {
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
