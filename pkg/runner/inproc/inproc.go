// Package inproc runs functions that are linked into the binary.
//
// Shape: a Runner around a *fn.Function. Bounds: a time limit, after which, or when the context ends,
// a function that looks at its context comes back at once; any other is left behind: its answer is
// dropped, and as it writes nothing but that it does no harm. A command ends without waiting for it.
// In a program that runs on it takes a processor and its memory until it comes to its own end, which
// the function's bounds on its work put off no longer than that. Its memory is the process's: what
// bounds it are the limits of the parsers on what comes in, and the function's budgets on what it makes.
// Cost: a goroutine and a timer, some microseconds, beside the function's own; objects are shared.
// Errors: *runner.Failure when a result is an error; another one, with the limit, for a function that
// ran too long; the context's cause when that ended.
package inproc

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// DefaultTime is how long a function may run when nobody said. Kpt has the same for programs.
const DefaultTime = 5 * time.Minute

// grace is how long a function that was told to stop is waited for.
const grace = 100 * time.Millisecond

// New makes a Runner of f that stops it after DefaultTime.
func New(f *fn.Function) runner.Runner { return Within(f, DefaultTime) }

// Within makes a Runner of f that stops it after a time; 0 is DefaultTime.
func Within(f *fn.Function, limit time.Duration) runner.Runner { return Calling(f, limit, nil) }

// Calling is Within for a function that may call others, if there is a caller.
func Calling(f *fn.Function, limit time.Duration, caller fn.Caller) runner.Runner {
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

func (l linked) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := &noting{Caller: l.caller, clock: newClock(l.limit, cancel)}
	if l.caller != nil {
		limited = fn.WithCaller(limited, calls)
	}
	out := l.apply(limited, in)
	late := calls.clock.stop()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case late || limited.Err() != nil:
		return nil, fmt.Errorf("linked function %q ran longer than the %s that --function-timeout allows, and was given up", l.f.Name, l.limit)
	case out.Failed():
		return nil, &runner.Failure{Results: out.Results, ExitCode: fn.ExitFailed}
	}
	return &runner.Output{Output: *out, Outside: calls.asked.Load()}, nil
}

// apply is what the function gives, nil when ctx ends before.
func (l linked) apply(ctx context.Context, in *fn.Input) *fn.Output {
	if ctx.Err() != nil {
		return nil
	}
	done := make(chan *fn.Output, 1) // with room, so that a function left behind can end
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
