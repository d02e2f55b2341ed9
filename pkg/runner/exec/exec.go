// Package exec runs functions that are executables on this machine.
//
// Shape: New splits the Kptfile's exec line like a shell would, without expanding anything, and
// gives a Runner. Bounds: a time limit, after which the whole process group is killed, a limit on
// what the program may print, and on Linux one on its memory. What it leaves behind is killed, too:
// its process group, and on Linux whatever has the variable WAYBILL_RUN of this run in its
// environment, in other groups and sessions. When we are killed ourselves the program is, on Linux.
// Cost: beside the program, memory for what it is given and what it prints, once each, and a look at
// the processes that began since, some tens of microseconds.
// Errors: *runner.Failure for a program that exits non-zero; others name the program and say what
// could not be run, how it overstepped, or what is wrong with what it printed. In the error of a
// program that was stopped there is a Failure, too, with the last of what it had said on stderr. An
// interruption is the context's cause and nothing else.
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
	Time time.Duration // default 5 minutes, as kpt has it

	// Output is how many bytes a program may print on stdout. Default 256 MiB, or twice what it is
	// given if that is more, but never more than 1 GiB. What it says on stderr is cut at 1 MiB.
	Output int

	// Memory is how many bytes of data each process of an executable may have, on Linux; default no limit.
	Memory int64
}

const (
	stderrLimit   = 1 << 20
	defaultOutput = 256 << 20 // more than anybody's package, and far less than a machine has
)

// withDefaults are the limits of a program that is given so many bytes.
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
		t := task{argv: argv, stdin: stdin, limits: p.limits, orphan: syscall.SIGKILL, mark: rand.Text()}
		stdout, stderr, code, err := t.run(ctx)
		failed = err
		return stdout, stderr, code, err
	})
	var said *runner.Failure
	switch {
	case errors.As(err, &said) && p.limits.Memory != 0 && wantsMemory(said.Stderr):
		err = fmt.Errorf("%w (its memory limit is %d bytes)", err, p.limits.Memory)
	case err != nil && failed == nil && said == nil:
		err = fmt.Errorf("%q: %w", p.argv[0], err)
	}
	return out, err
}
