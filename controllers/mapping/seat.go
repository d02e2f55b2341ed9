package mapping

import (
	"context"
	"sync"
)

// seat is a worker's among those that may work at a time. It is given up while hooks are waited for, so that
// a slow one keeps nobody else from working.
type seat struct {
	slots chan struct{}

	mu      sync.Mutex
	waiting int // hooks
}

// enter waits for the seat; false when ctx has ended.
func (s *seat) enter(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case s.slots <- struct{}{}:
		return true
	}
}

func (s *seat) leave() { <-s.slots }

// without waits for something, and for the seat again. As long as one hook of a pass is waited for, what else
// the pass does counts as waiting, too.
func (s *seat) without(wait func()) {
	s.mu.Lock()
	if s.waiting++; s.waiting == 1 {
		<-s.slots
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.waiting--; s.waiting == 0 {
			s.slots <- struct{}{} // those that have the others come to an end, or to a hook
		}
	}()
	wait()
}
