package exec

import (
	"bytes"
	"context"
	"errors"
	"os"
	osexec "os/exec"
	"strings"
	"syscall"
	"time"
)

// Run runs a program once within limits of time and output. A non-zero exit status is no error. It is
// for programs that may start processes that outlive them: only their process group is killed.
func Run(ctx context.Context, argv []string, stdin []byte, limits Limits) (stdout, stderr []byte, code int, err error) {
	return task{argv: argv, stdin: stdin, limits: limits, orphan: syscall.SIGTERM}.run(ctx)
}

// RunClient is Run for the client of a program that runs elsewhere, such as the client
// of a container engine. If it was killed, the work would be left half done. So when it
// exceeds a limit, it gets SIGTERM, and end, which should end the program, is called until
// the client has ended. It is killed only if that takes too long. When this process is killed, the client gets
// SIGTERM, on Linux.
func RunClient(ctx context.Context, argv []string, stdin []byte, limits Limits, end func()) (stdout, stderr []byte, code int, err error) {
	return task{argv: argv, stdin: stdin, limits: limits, orphan: syscall.SIGTERM, end: end}.run(ctx)
}

// task is one run of a program.
type task struct {
	argv   []string
	stdin  []byte
	limits Limits
	orphan syscall.Signal // which it gets when this process dies
	group  *group         // the process and those that it starts
	mark   string         // in the environment of all processes that it starts; empty when they may live on
	end    func()         // ends the program of a client; nil for a program that is no client
}

// runVariable holds the mark in the environment of a program, after those of the outer runs.
const runVariable = "WAYBILL_RUN"

// outputDelay is how long processes that a program started may keep its output open after its end.
const outputDelay = 2 * time.Second

// The time that a client has to end, and the interval of further attempts.
const (
	maxEnding   = 10 * time.Second
	endInterval = 50 * time.Millisecond
)

func (t task) run(ctx context.Context) (stdout, stderr []byte, code int, err error) {
	t.limits = t.limits.withDefaults(len(t.stdin))
	limited, cancel := context.WithTimeout(ctx, t.limits.Time)
	defer cancel()
	cmd := osexec.CommandContext(limited, t.argv[0], t.argv[1:]...) // #nosec G204 -- running it is the point; only when allowed
	if t.group, err = newGroup(cmd); err != nil {
		return nil, nil, 0, err
	}
	defer t.group.close()
	cmd.Cancel = func() error { t.stop(cmd); return nil }
	cmd.WaitDelay = outputDelay
	if t.mark != "" {
		cmd.Env = append(os.Environ(), runVariable+"="+strings.TrimPrefix(os.Getenv(runVariable)+","+t.mark, ","))
	}
	out := outputBuffer{limit: t.limits.Output, expect: len(t.stdin) + len(t.stdin)/8, overflow: cancel}
	errOut := outputBuffer{limit: stderrLimit, truncate: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(t.stdin), &out, &errOut
	err = t.group.run(t.orphan)
	leftover := cmd.Process != nil && t.kill(cmd) // processes that it left behind; usually none
	stderr = errOut.bytes()
	if err := t.failure(ctx, limited, err, cmd.ProcessState, leftover, &out, stderr); err != nil {
		return nil, nil, 0, err
	}
	return out.bytes(), stderr, cmd.ProcessState.ExitCode(), nil // a program need not read all of stdin
}

// stop ends the program early.
func (t task) stop(cmd *osexec.Cmd) {
	if t.end != nil && t.group.terminate() == nil {
		for until := time.Now().Add(maxEnding); time.Now().Before(until); time.Sleep(endInterval) {
			t.end()
			if !t.group.runs() {
				break
			}
		}
	}
	t.kill(cmd)
}

// kill kills the program and the processes that it started, as far as they are known, and reports whether there
// were any.
func (t task) kill(cmd *osexec.Cmd) bool {
	group := t.group.kill()
	return t.mark != "" && killMarked(t.mark, cmd.Process.Pid) || group
}

// failure is the error of a run, nil when it is valid. ctx is the caller's, limited also ends with the
// time limit, leftover says whether processes were left behind, and err is the error of the command.
func (t task) failure(
	ctx, limited context.Context, err error, state *os.ProcessState, leftover bool, out *outputBuffer, stderr []byte,
) error {
	name := nameOf(t.argv)
	switch {
	case out.over:
		return Stopped(stderr, "%q printed more than %d bytes and was stopped", name, t.limits.Output)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return Stopped(stderr, "%q ran longer than %s and was stopped", name, t.limits.Time)
	case errors.Is(err, osexec.ErrWaitDelay) && leftover:
		return Stopped(stderr, "%q left a process behind that may print more; it was stopped", name)
	case errors.Is(err, osexec.ErrWaitDelay):
		return Stopped(stderr, "%q left a process behind that may print more; it was not found and may still run", name)
	case state == nil:
		return err // it names the program that could not be started
	case state.ExitCode() < 0 && t.limits.Memory != 0:
		return Stopped(stderr, "%q was ended by a signal (its memory limit is %d bytes): %s", name, t.limits.Memory, state)
	case state.ExitCode() < 0:
		return Stopped(stderr, "%q was ended by a signal: %s", name, state)
	}
	return nil
}
