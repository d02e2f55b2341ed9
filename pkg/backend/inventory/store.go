package inventory

import (
	"context"
	"sync"
)

// Store keeps an inventory longer than the process that applies a plan.
//
// Save is called before each call to the backend; when it returns, the change must be durable. A change is
// small: a store that rewrites the whole inventory for it costs more than the calls. Records can be distributed
// over several files or objects by number. Only one process may apply to an inventory at a time.
type Store interface {
	// Load returns the stored inventory; an empty one, not an error, if there is none.
	Load(ctx context.Context) (*Inventory, error)
	// Save stores a change.
	Save(ctx context.Context, c Change) error
}

// MemoryStore is a Store in memory.
type MemoryStore struct {
	mu        sync.Mutex
	inventory *Inventory
}

// NewMemoryStore returns a store with a copy of an inventory.
func NewMemoryStore(i *Inventory) *MemoryStore { return &MemoryStore{inventory: i.Clone()} }

// Load returns a copy.
func (s *MemoryStore) Load(context.Context) (*Inventory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inventory.Clone(), nil
}

// Save stores a change.
func (s *MemoryStore) Save(_ context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inventory.Take(c)
	return nil
}
