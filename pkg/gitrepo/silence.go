package gitrepo

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// silence ends a conversation in which nothing moves for too long, and one that takes too long as a whole: a server
// that sends a byte now and then would otherwise hold it open without end.
type silence struct {
	limit, timeout time.Duration
	watch          atomic.Pointer[watch]
}

func newSilence(b Bounds) *silence { return &silence{limit: b.Silence, timeout: b.Timeout} }

type watch struct {
	timer *time.Timer
	limit time.Duration
}

// slowError says why a conversation was given up.
type slowError struct{ what string }

func (e *slowError) Error() string { return e.what + "; it may be overloaded: try again later" }

// begin watches a conversation that times the usual silence is too long for, until end is called.
func (s *silence) begin(ctx context.Context, times time.Duration) (watched context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	after := func(limit time.Duration, format string) *time.Timer {
		return time.AfterFunc(limit, func() { cancel(&slowError{fmt.Sprintf(format, limit)}) })
	}
	quiet := after(s.limit*times, "nothing was heard from it for %s")
	late := after(s.timeout, "the conversation with it took longer than %s")
	s.watch.Store(&watch{quiet, s.limit * times})
	return ctx, func() { s.watch.Store(nil); quiet.Stop(); late.Stop(); cancel(nil) }
}

// heard begins the wait anew.
func (s *silence) heard(n int) {
	if w := s.watch.Load(); w != nil && n > 0 {
		w.timer.Reset(w.limit)
	}
}

// pause stops the wait for the server while it is this process that reads nothing, until resume is called.
func (s *silence) pause() (resume func()) {
	if w := s.watch.Load(); w != nil {
		w.timer.Stop()
	}
	return func() { s.heard(1) }
}

// heardReader tells of every byte that is read.
type heardReader struct {
	io.Reader
	silence *silence
}

func (h *heardReader) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.silence.heard(n)
	return n, err
}

// heardWriter tells of every byte that is written: what we send over a slow line takes time, too.
type heardWriter struct {
	io.WriteCloser
	silence *silence
}

func (h *heardWriter) Write(p []byte) (written int, err error) {
	const piece = 32 << 10
	for len(p) > 0 && err == nil {
		var n int
		n, err = h.WriteCloser.Write(p[:min(len(p), piece)])
		h.silence.heard(n)
		written, p = written+n, p[n:]
	}
	return written, err
}
