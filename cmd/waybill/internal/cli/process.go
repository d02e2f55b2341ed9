package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"time"

	"github.com/waybill-dev/waybill/pkg/memlimit"
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

// minGrowth is the least heap growth between two collections. Most commands end before the first collection. A heap doubles up to
// maxDoubling.
const (
	minGrowth   = 32 << 20
	maxDoubling = 128 << 20
)

// TuneCollector lets a small heap grow by minGrowth, one of medium size double, and a large one grow by maxDoubling or by 30% before the
// next collection: the default collects small heaps often and lets large ones double. It does nothing if GOGC is set.
func TuneCollector(env func(string) (string, bool)) {
	if _, set := env("GOGC"); set {
		return
	}
	const smallest = 4 << 20 // the least live heap that the runtime reckons with
	debug.SetGCPercent(growth(smallest))
	afterEachCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
	})
}

// LimitHeap makes the collector work harder near the memory limit of this process. It does nothing if GOMEMLIMIT is set.
func LimitHeap(env func(string) (string, bool)) {
	if _, set := env("GOMEMLIMIT"); !set {
		memlimit.Apply()
	}
}

// growth is by how many percent a heap with so much live memory may grow.
func growth(live uint64) int {
	return int(max(30, max(minGrowth, min(live, maxDoubling))*100/max(1, live)))
}

// afterEachCollection calls f some time after every collection.
func afterEachCollection(f func()) {
	type canary struct{ _ *byte } // has a pointer, so that it shares its memory block with nothing else
	runtime.SetFinalizer(&canary{}, func(*canary) {
		f()
		afterEachCollection(f)
	})
}
