package packagevariant

import (
	"context"
	"time"
)

// slots bound how many batches are reconciled at a time. A batch that takes long mostly waits for a Git server: it gives
// its slot to another one and continues in a slot for slow batches, of which there are more.
type slots struct {
	fast, slow chan struct{}
	slowAfter  time.Duration
}

func newSlots(workers int, slowAfter time.Duration) *slots {
	return &slots{make(chan struct{}, workers), make(chan struct{}, 15*workers), slowAfter}
}

// acquire waits for a slot. When ctx ends every batch gets one, as none does anything any more.
func (s *slots) acquire(ctx context.Context) (release func()) {
	select {
	case s.fast <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	done, released := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		s.hold(done)
	}()
	return func() {
		close(done)
		<-released
	}
}

// hold holds a fast slot until done, or for slowAfter and until there is a slow one, which it holds then.
func (s *slots) hold(done <-chan struct{}) {
	select {
	case <-done:
		<-s.fast
		return
	case <-time.After(s.slowAfter):
	}
	select {
	case <-done:
		<-s.fast
	case s.slow <- struct{}{}:
		<-s.fast
		<-done
		<-s.slow
	}
}
