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

// ErrInterrupted is why a command ends that was asked to by a signal.
var ErrInterrupted error = interruption{}

type interruption struct{}

func (interruption) Error() string { return "interrupted" }

// Is makes it one of the reasons why a context was canceled.
func (interruption) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether err is what came of a signal.
func Interrupted(ctx context.Context, err error) bool {
	return errors.Is(context.Cause(ctx), ErrInterrupted) && errors.Is(err, context.Canceled)
}

// oneSignal is how long signals count as one: who closes a terminal, or interrupts a program that runs
// others, often has two arrive.
const oneSignal = 300 * time.Millisecond

// SignalContext returns a context that ends when the user or the system wants the program to end. Who
// says so again gets end called. SIGHUP says so, too, but not to a program that was started by nohup.
func SignalContext(end func()) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, signals...)
	go func() {
		<-heard
		cancel(ErrInterrupted)
		time.Sleep(oneSignal)
		select {
		case <-heard:
		default:
		}
		<-heard
		end()
	}()
	return ctx
}

// Await is what read gives, or the reason why ctx ended, even if read hangs, as one does that opens a FIFO to
// which nothing is written. read only reads: it may go on until the program ends.
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
		var none T
		return none, context.Cause(ctx)
	}
}

// ContextReader returns a reader of in that fails when ctx ends, even while in has nothing to read. What arrives later is lost.
func ContextReader(ctx context.Context, in io.Reader) io.Reader { return contextReader{ctx, in} }

type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (s contextReader) Read(p []byte) (int, error) {
	type arrival struct {
		n   int
		err error
	}
	arrived := make(chan arrival, 1)
	go func() {
		n, err := s.in.Read(p)
		arrived <- arrival{n, err}
	}()
	select {
	case a := <-arrived:
		return a.n, a.err
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}
