package controller

import (
	"context"
	"sync"
	"time"
)

// slots bound how many batches are reconciled at a time. A batch that takes long mostly waits for a Git server: it gives
// its slot to another one and goes on in a slot for slow batches, of which there are more.
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
	t := &slot{slots: s, in: s.fast}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(s.slowAfter, t.move)
	return t.release
}

// slot is one that is taken.
type slot struct {
	slots *slots
	mu    sync.Mutex
	in    chan struct{} // nil once the batch is done
	timer *time.Timer
}

// move takes a slot for slow batches instead, as soon as there is one.
func (t *slot) move() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.in == nil {
		return
	}
	select {
	case t.slots.slow <- struct{}{}:
		<-t.in
		t.in = t.slots.slow
	default:
		t.timer.Reset(t.slots.slowAfter)
	}
}

func (t *slot) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	<-t.in
	t.in = nil
}
