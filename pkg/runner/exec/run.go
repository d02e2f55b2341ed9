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

// Run runs a program once within limits of time and output. Exiting with a status is no error. It is
// for programs that may start others which outlive them: only their process group is killed.
func Run(ctx context.Context, argv []string, stdin []byte, limits Limits) (stdout, stderr []byte, code int, err error) {
	return task{argv: argv, stdin: stdin, limits: limits, orphan: syscall.SIGTERM}.run(ctx)
}

// RunClient is Run for a program that only stands for one which does the work elsewhere, as the client
// of a container engine does. Killed in the middle of its work it would leave that half done. So when it
// oversteps it is told to end by SIGTERM, and end, which should end what it stands for, is called until
// the client has ended. It is killed only if that takes too long. When we are killed ourselves it gets
// SIGTERM, on Linux.
func RunClient(ctx context.Context, argv []string, stdin []byte, limits Limits, end func()) (stdout, stderr []byte, code int, err error) {
	return task{argv: argv, stdin: stdin, limits: limits, orphan: syscall.SIGTERM, end: end}.run(ctx)
}

// task is a program that is to be run once.
type task struct {
	argv   []string
	stdin  []byte
	limits Limits
	orphan syscall.Signal // what it gets when we die
	mark   string         // by which all that it starts is known; none when that may live on
	end    func()         // ends what it stands for; nil when it stands for itself
}

// runVariable holds the mark in the environment of a program, after those of the runs around it.
const runVariable = "WAYBILL_RUN"

// patience is how long what a program started may hold its output open after the program ended.
const patience = 2 * time.Second

// A client that was told to end has so long, and is asked so often.
const (
	mostOfEnding = 10 * time.Second
	betweenEnds  = 50 * time.Millisecond
)

func (t task) run(ctx context.Context) (stdout, stderr []byte, code int, err error) {
	t.limits = t.limits.withDefaults(len(t.stdin))
	limited, cancel := context.WithTimeout(ctx, t.limits.Time)
	defer cancel()
	cmd := osexec.CommandContext(limited, t.argv[0], t.argv[1:]...) // #nosec G204 -- running it is the point; only when allowed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { t.stop(cmd); return nil }
	cmd.WaitDelay = patience
	if t.mark != "" {
		cmd.Env = append(os.Environ(), runVariable+"="+strings.TrimPrefix(os.Getenv(runVariable)+","+t.mark, ","))
	}
	out := bounded{limit: t.limits.Output, expect: len(t.stdin) + len(t.stdin)/8, overflow: cancel}
	talk := bounded{limit: stderrLimit, cut: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(t.stdin), &out, &talk
	err = tied(cmd, t.orphan)
	caught := cmd.Process != nil && t.kill(cmd) // what it left behind; most often nothing
	stderr = talk.bytes()
	if err := t.verdict(ctx, limited, err, cmd.ProcessState, caught, &out, stderr); err != nil {
		return nil, nil, 0, err
	}
	return out.bytes(), stderr, cmd.ProcessState.ExitCode(), nil // not reading all of stdin is no error
}

// stop ends the program before its time.
func (t task) stop(cmd *osexec.Cmd) {
	if t.end != nil && cmd.Process.Signal(syscall.SIGTERM) == nil {
		for until := time.Now().Add(mostOfEnding); time.Now().Before(until); time.Sleep(betweenEnds) {
			t.end()
			if cmd.Process.Signal(syscall.Signal(0)) != nil {
				break
			}
		}
	}
	t.kill(cmd)
}

// kill ends the program and what it started, as far as that is known, and reports whether anything
// was there.
func (t task) kill(cmd *osexec.Cmd) bool {
	group := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil
	return t.mark != "" && killMarked(t.mark, cmd.Process.Pid) || group
}

// verdict is why a run does not count, nil when it does. ctx is the caller's, limited ends with the
// time limit as well, caught says whether anything was left behind, and err is how waiting for it ended.
func (t task) verdict(ctx, limited context.Context, err error, state *os.ProcessState, caught bool, out *bounded, stderr []byte) error {
	name := nameOf(t.argv)
	switch {
	case out.over:
		return Stopped(stderr, "%q printed more than %d bytes and was stopped", name, t.limits.Output)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return Stopped(stderr, "%q ran longer than %s and was stopped", name, t.limits.Time)
	case errors.Is(err, osexec.ErrWaitDelay) && caught:
		return Stopped(stderr, "%q left a process behind that may print more; it was stopped", name)
	case errors.Is(err, osexec.ErrWaitDelay):
		return Stopped(stderr, "%q left a process behind that may print more; it was not found and may still run", name)
	case state == nil:
		return err // it says what could not be started
	case state.ExitCode() < 0 && t.limits.Memory != 0:
		return Stopped(stderr, "%q was ended by a signal (its memory limit is %d bytes): %s", name, t.limits.Memory, state)
	case state.ExitCode() < 0:
		return Stopped(stderr, "%q was ended by a signal: %s", name, state)
	}
	return nil
}
