package hooks

import (
	"context"
	"sync"
)

// Slots limit how many workers work at a time, to the capacity of the channel.
type Slots chan struct{}

// Slot is the place of one worker in Slots. The worker releases it while a hook runs, so that a slow hook does not block
// other workers.
type Slot struct {
	Slots Slots

	mu      sync.Mutex
	waiting int // hooks
}

// Acquire waits for the slot; false when ctx has ended.
func (s *Slot) Acquire(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case s.Slots <- struct{}{}:
		return true
	}
}

// Release releases the slot.
func (s *Slot) Release() { <-s.Slots }

// without calls wait while the slot is released, and then acquires it again. While one hook of a pass runs, all other work of
// that pass goes on without the slot.
func (s *Slot) without(wait func()) {
	s.mu.Lock()
	if s.waiting++; s.waiting == 1 {
		s.Release()
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.waiting--; s.waiting == 0 {
			s.Slots <- struct{}{} // the workers that have the other slots finish, or call a hook
		}
	}()
	wait()
}
