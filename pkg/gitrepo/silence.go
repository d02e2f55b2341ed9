package gitrepo

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// silence ends a conversation in which nothing at all moves for too long. How long a conversation takes as a whole is
// for its context to say.
type silence struct {
	limit time.Duration
	watch atomic.Pointer[watch]
}

type watch struct {
	timer *time.Timer
	limit time.Duration
}

// silentError says that nothing moved for that long.
type silentError struct{ limit time.Duration }

func (e *silentError) Error() string {
	return fmt.Sprintf("nothing was heard from it for %s; it may be overloaded: try again later", e.limit)
}

// begin watches a conversation that times the usual silence is too long for, until end is called.
func (s *silence) begin(ctx context.Context, times time.Duration) (watched context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	limit := s.limit * times
	timer := time.AfterFunc(limit, func() { cancel(&silentError{limit}) })
	s.watch.Store(&watch{timer, limit})
	return ctx, func() { s.watch.Store(nil); timer.Stop(); cancel(nil) }
}

// heard begins the wait anew.
func (s *silence) heard(n int) {
	if w := s.watch.Load(); w != nil && n > 0 {
		w.timer.Reset(w.limit)
	}
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
