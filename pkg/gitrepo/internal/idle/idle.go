// Package idle ends a conversation with a server when nothing moves for too long, and when it takes too long as a whole.
//
// Shape: a Timer watches one conversation at a time; a Reader and a Writer report to it every byte that moves.
// Cost: one timer reset for each read and write.
// Errors: a *TimeoutError as the cause of the context that Begin returns.
package idle

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// Timer has two limits. The one on silence alone would let a server hold a conversation open forever with a byte now and then.
type Timer struct {
	silence, total time.Duration
	current        atomic.Pointer[running] // nil between conversations
}

type running struct {
	timer *time.Timer
	limit time.Duration
}

// New returns a Timer for conversations that may be silent, and may last in total, for so long.
func New(silence, total time.Duration) *Timer { return &Timer{silence: silence, total: total} }

// TimeoutError says which limit a conversation exceeded.
type TimeoutError struct{ what string }

func (e *TimeoutError) Error() string { return e.what + "; it may be overloaded: try again later" }

// Begin watches a conversation until end is called. It may be silent for factor times the usual limit.
func (t *Timer) Begin(ctx context.Context, factor time.Duration) (watched context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	after := func(limit time.Duration, format string) *time.Timer {
		return time.AfterFunc(limit, func() { cancel(&TimeoutError{fmt.Sprintf(format, limit)}) })
	}
	quiet := after(t.silence*factor, "it sent and received nothing for %s")
	late := after(t.total, "the conversation with it took longer than %s")
	t.current.Store(&running{quiet, t.silence * factor})
	return ctx, func() { t.current.Store(nil); quiet.Stop(); late.Stop(); cancel(nil) }
}

// Moved restarts the limit on silence if n is not zero.
func (t *Timer) Moved(n int) {
	if r := t.current.Load(); r != nil && n > 0 {
		r.timer.Reset(r.limit)
	}
}

// Pause stops the limit on silence until resume is called. It is for times in which this process does not read.
func (t *Timer) Pause() (resume func()) {
	if r := t.current.Load(); r != nil {
		r.timer.Stop()
	}
	return func() { t.Moved(1) }
}

// Reader reports to Timer every byte that is read.
type Reader struct {
	io.Reader
	Timer *Timer
}

func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.Timer.Moved(n)
	return n, err
}

// Writer reports to Timer every byte that is written: sending over a slow line takes time, too.
type Writer struct {
	io.WriteCloser
	Timer *Timer
}

func (w *Writer) Write(p []byte) (written int, err error) {
	const piece = 32 << 10
	for len(p) > 0 && err == nil {
		var n int
		n, err = w.WriteCloser.Write(p[:min(len(p), piece)])
		w.Timer.Moved(n)
		written, p = written+n, p[n:]
	}
	return written, err
}
