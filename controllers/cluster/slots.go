package cluster

import (
	"context"
	"sync"
	"time"
)

// slots bound how many passes run at a time. A pass that takes long mostly waits for a Git server: it gives its slot to
// another one and goes on in a slot for slow passes, of which there are more.
type slots struct {
	fast, slow chan struct{}
	grace      time.Duration // after which a pass is slow
}

func newSlots(workers int, grace time.Duration) *slots {
	return &slots{make(chan struct{}, workers), make(chan struct{}, 15*workers), grace}
}

// take waits for a slot. When ctx ends there is one for every pass, as none does anything any more.
func (s *slots) take(ctx context.Context) (leave func()) {
	select {
	case s.fast <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	t := &slot{slots: s, in: s.fast}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(s.grace, t.move)
	return t.leave
}

// slot is one that is taken.
type slot struct {
	*slots
	mu    sync.Mutex
	in    chan struct{} // nil once the pass has ended
	timer *time.Timer
}

// move takes a slot for slow passes instead, as soon as there is one.
func (t *slot) move() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.in == nil {
		return
	}
	select {
	case t.slow <- struct{}{}:
		<-t.in
		t.in = t.slow
	default:
		t.timer.Reset(t.grace)
	}
}

func (t *slot) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	<-t.in
	t.in = nil
}
