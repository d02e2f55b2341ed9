package inventory

import (
	"context"
	"sync"
)

// Store keeps an inventory where it outlives whoever applies a plan.
//
// Save is called before each call to the backend, and its change has to be kept for good when it
// returns. A change is small; a store that writes anew everything that changes with it spends more
// than the calls do. Numbers serve to share records out among several files or objects. One inventory
// has one who applies at a time.
type Store interface {
	// Load gives what is kept; an empty inventory, not an error, when nothing is.
	Load(ctx context.Context) (*Inventory, error)
	// Save makes a change to what is kept.
	Save(ctx context.Context, c Change) error
}

// MemoryStore is a Store that lasts as long as its process.
type MemoryStore struct {
	mu        sync.Mutex
	inventory *Inventory
}

// NewMemoryStore keeps a copy of an inventory.
func NewMemoryStore(i *Inventory) *MemoryStore { return &MemoryStore{inventory: i.Clone()} }

// Load gives a copy.
func (s *MemoryStore) Load(context.Context) (*Inventory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inventory.Clone(), nil
}

// Save makes a change.
func (s *MemoryStore) Save(_ context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inventory.Take(c)
	return nil
}
