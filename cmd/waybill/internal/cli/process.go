package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ErrInterrupted is the cause of a context that a signal ended.
var ErrInterrupted error = interruption{}

type interruption struct{}

func (interruption) Error() string { return "interrupted" }

// Is makes errors.Is report context.Canceled too.
func (interruption) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether err comes from a signal.
func Interrupted(ctx context.Context, err error) bool {
	return errors.Is(context.Cause(ctx), ErrInterrupted) && errors.Is(err, context.Canceled)
}

// oneSignal is how long several signals count as one: closing a terminal often sends two.
const oneSignal = 300 * time.Millisecond

// SignalContext returns a context that a signal ends; the next signal calls end. SIGHUP counts unless nohup started the
// program.
func SignalContext(end func()) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go func() {
		<-received
		cancel(ErrInterrupted)
		time.Sleep(oneSignal)
		select {
		case <-received:
		default:
		}
		<-received
		end()
	}()
	return ctx
}

// Await returns the result of read, or the cause of ctx if ctx ends first, even if read blocks, as on a FIFO without a
// writer. read must have no side effects: it may go on until the program ends.
func Await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, context.Cause(ctx)
	}
}

// ContextReader returns a reader of in that fails when ctx ends, even while it waits for input. Later input is lost.
func ContextReader(ctx context.Context, in io.Reader) io.Reader { return contextReader{ctx, in} }

type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (s contextReader) Read(p []byte) (int, error) {
	return Await(s.ctx, func() (int, error) { return s.in.Read(p) })
}
