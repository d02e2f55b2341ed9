package inventory

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// ErrLost is the error of an inventory that somebody else has written meanwhile.
var ErrLost = errors.New("another process has written the inventory")

// Store is an inventory in an API server. Its methods may be called one at a time.
type Store struct {
	objects client.Client // reads from the API server, not from memory
	at      types.NamespacedName
	backend string

	guard sync.Mutex
	held  *held // nil: not taken over
}

// New is the inventory of a backend under a name in a namespace. The client must not read from a cache.
func New(objects client.Client, at types.NamespacedName, backend string) *Store {
	return &Store{objects: objects, at: at, backend: backend}
}

// Load gives a copy of the inventory, after taking it over if this Store does not have it.
func (s *Store) Load(ctx context.Context) (*inventory.Inventory, error) {
	s.guard.Lock()
	defer s.guard.Unlock()
	if s.held == nil {
		h, err := s.takeOver(ctx)
		if err != nil {
			return nil, s.explain(err)
		}
		s.held = h
	}
	return s.held.state.Clone(), nil
}

// Save writes a change. After an error it is not known what is written, and nothing more is until Load has
// taken the inventory over anew.
func (s *Store) Save(ctx context.Context, c inventory.Change) error {
	s.guard.Lock()
	defer s.guard.Unlock()
	if s.held == nil {
		return s.explain(ErrLost)
	}
	if err := s.save(ctx, s.held, c); err != nil {
		s.held = nil
		return s.explain(lost(err))
	}
	s.held.state.Take(c)
	return nil
}

// Tidy removes pages without records once there are some, and so keeps their number in bounds.
func (s *Store) Tidy(ctx context.Context) error {
	s.guard.Lock()
	defer s.guard.Unlock()
	if s.held == nil {
		return nil
	}
	if err := s.tidy(ctx, s.held); err != nil {
		s.held = nil
		return s.explain(lost(err))
	}
	return nil
}

func (s *Store) explain(err error) error { return fmt.Errorf("inventory %s: %w", s.at, err) }

// lost says of an error of a write what it means: pages are not changed, made or removed but by who has them.
func lost(err error) error {
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) && !isKindMissing(err) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// held is what a Store knows that has taken the inventory over.
type held struct {
	head     *waybill.BackendInventory
	pages    map[int64]*page
	sequence int64 // of the last save
	state    *inventory.Inventory
}

// last is the number of the last page that there may be.
func (h *held) last() (n int64) {
	n, _ = number(h.head, lastPage) // it was read when it was taken over
	return n
}

// assemble makes one inventory of all pages.
func (h *held) assemble(name string) (*inventory.Inventory, error) {
	whole := &waybill.BackendInventory{}
	whole.Name, whole.Spec.Backend, whole.Spec.URL = name, h.head.Spec.Backend, h.head.Spec.URL
	for _, n := range sortedKeys(h.pages) {
		p := h.pages[n]
		whole.Spec.Next = max(whole.Spec.Next, p.object.Spec.Next)
		whole.Spec.Resources = append(whole.Spec.Resources, p.object.Spec.Resources...)
	}
	return inventory.FromObject(whole)
}
