// Package exec runs functions that are executables on this machine.
//
// Shape: New splits the Kptfile's exec line like a shell, without expansion, and
// makes a Runner. Bounds: a time limit, after which the whole process group is killed, a limit on
// the output, and on Linux one on the memory. Processes that the program leaves behind are killed, too:
// its process group, and on Linux every process with the variable WAYBILL_RUN of this run in its
// environment, also in other groups and sessions. When this process is killed, the program is killed, too, on Linux.
// Cost: in addition to the program, memory for its input and its output, once each, and the search for
// processes that it left, some tens of microseconds.
// Errors: *runner.Failure for a program that exits non-zero; others name the program and say what
// could not be run, which limit it exceeded, or what is wrong with its output. The error of a
// program that was stopped wraps a Failure with the end of its stderr. An
// interruption is the context's cause and nothing else.
// Source: kpt's exec runtime.
package exec

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/google/shlex"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Limits bound one run. A zero field means its default.
type Limits struct {
	Time time.Duration // default 5 minutes, as in kpt

	// Output is the maximum of bytes on stdout. Default 256 MiB, or twice the size of the
	// input if that is more, but never more than 1 GiB. The stderr of a program is truncated at 1 MiB.
	Output int

	// Memory is the maximum of bytes of data of each process of an executable, on Linux; default no limit.
	Memory int64
}

const (
	stderrLimit   = 1 << 20
	defaultOutput = 256 << 20 // more than any package, and far less than the memory of a machine
)

// withDefaults are the limits of a program with an input of so many bytes.
func (l Limits) withDefaults(given int) Limits {
	l.Time = cmp.Or(l.Time, 5*time.Minute)
	l.Output = cmp.Or(l.Output, min(max(defaultOutput, 2*given), fn.MaxListBytes))
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
		return nil, fmt.Errorf("exec %q holds a NUL byte, which no program can receive", commandLine)
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
	var failed error // to run: the error names the program already
	out, err := runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		argv, err := withMemory(p.argv, p.limits.Memory)
		if err != nil {
			failed = err
			return nil, nil, 0, err
		}
		t := task{argv: argv, stdin: stdin, limits: p.limits, orphan: syscall.SIGKILL, mark: rand.Text()}
		stdout, stderr, code, err := t.run(ctx)
		failed = err
		return stdout, stderr, code, err
	})
	var failure *runner.Failure
	switch {
	case errors.As(err, &failure) && p.limits.Memory != 0 && mentionsMemory(failure.Stderr):
		err = fmt.Errorf("%w (its memory limit is %d bytes)", err, p.limits.Memory)
	case err != nil && failed == nil && failure == nil:
		err = fmt.Errorf("%q: %w", p.argv[0], err)
	}
	return out, err
}
