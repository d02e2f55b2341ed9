// Package inproc runs functions that are linked into the binary.
//
// Shape: a Runner for a *fn.Function. Bounds: a time limit. After that, or when the context ends,
// a function that checks its context returns at once. Any other function is abandoned: its output is
// dropped, and it has no other effect. A command ends without waiting for it.
// In a long-running program it uses a processor and memory until its own bounds on its work end it.
// The function uses the memory of the process, which is bounded by the limits of the parsers on the input
// and by the function's budgets on the output.
// Cost: a goroutine and a timer, some microseconds, in addition to the function's own; objects are shared.
// Errors: *runner.Failure when a result is an error; another error, with the limit, for a function that
// ran too long; the context's cause when that ended.
// Source: ours; the default time limit is kpt's.
package inproc

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// DefaultTime is the default time limit. It is that of kpt for programs.
const DefaultTime = 5 * time.Minute

// grace is how long Run waits for a function after its context ended.
const grace = 100 * time.Millisecond

// New makes a Runner of f that stops it after DefaultTime.
func New(f *fn.Function) runner.Runner { return Within(f, DefaultTime) }

// Within makes a Runner of f that stops it after a time; 0 is DefaultTime.
func Within(f *fn.Function, limit time.Duration) runner.Runner { return WithCaller(f, limit, nil) }

// WithCaller is Within for a function that may call other functions through caller, which may be nil.
func WithCaller(f *fn.Function, limit time.Duration, caller fn.Caller) runner.Runner {
	return linked{f, cmp.Or(limit, DefaultTime), caller}
}

type linked struct {
	f      *fn.Function
	limit  time.Duration
	caller fn.Caller
}

func (l linked) Kind() string { return "in-process" }

// Identity is the function's name: what it does is part of the running program.
func (l linked) Identity() string { return "linked " + l.f.Name }

// FilePaths implements runner.FileReader.
func (l linked) FilePaths(config *krm.Object) ([]string, error) {
	if l.f.Files == nil {
		return nil, nil
	}
	return l.f.Files(config)
}

func (l linked) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := &callRecorder{Caller: l.caller, clock: newClock(l.limit, cancel)}
	if l.caller != nil {
		limited = fn.WithCaller(limited, calls)
	}
	out := l.apply(limited, in)
	expired := calls.clock.stop()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case expired || limited.Err() != nil:
		return nil, fmt.Errorf("linked function %q ran longer than the %s that --function-timeout allows, and was stopped", l.f.Name, l.limit)
	case out.Failed():
		return nil, &runner.Failure{Results: out.Results, ExitCode: fn.ExitFailed}
	}
	if err := runner.AlignPairs(in.Items, out.Items); err != nil {
		return nil, &runner.OutputError{Err: err}
	}
	return &runner.Output{Output: *out, Outside: calls.called.Load()}, nil
}

// apply is the output of the function, nil when ctx ends before.
func (l linked) apply(ctx context.Context, in *fn.Input) *fn.Output {
	if ctx.Err() != nil {
		return nil
	}
	done := make(chan *fn.Output, 1) // buffered, so that an abandoned function can end
	go func() { done <- l.f.Apply(ctx, in) }()
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	return nil
}
