package mapcontroller

import (
	"context"
	"sync"
)

// slot is a worker's share of a semaphore that bounds how many work at a time. It is released while a hook is waited for,
// so that a slow one does not keep other workers waiting.
type slot struct {
	slots chan struct{}

	mu      sync.Mutex
	waiting int // hooks
}

// acquire waits for the slot; false when ctx has ended.
func (s *slot) acquire(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case s.slots <- struct{}{}:
		return true
	}
}

func (s *slot) release() { <-s.slots }

// without waits for something while the slot is released, and then for the slot. As long as one hook of a pass is waited for, what else
// the pass does counts as waiting, too.
func (s *slot) without(wait func()) {
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
