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
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// ErrLost says that another process has written the inventory.
var ErrLost = errors.New("another process has written the inventory")

// Store is an inventory in an API server.
type Store struct {
	client  client.Client // without a cache
	name    types.NamespacedName
	backend string

	mu    sync.Mutex
	owned *owned // nil: not taken over
}

// New returns the inventory of a backend. The client must not read from a cache.
func New(client client.Client, name types.NamespacedName, backend string) *Store {
	return &Store{client: client, name: name, backend: backend}
}

// Load returns a copy of the inventory, after taking it over if this Store does not own it.
func (s *Store) Load(ctx context.Context) (*backendinventory.Inventory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned == nil {
		o, err := s.takeOver(ctx)
		if err != nil {
			return nil, s.wrap(err)
		}
		s.owned = o
	}
	return s.owned.state.Clone(), nil
}

// Save writes a change. After an error it is not known what was written, and Save writes nothing more before
// Load has taken the inventory over again.
func (s *Store) Save(ctx context.Context, c backendinventory.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned == nil {
		return s.wrap(ErrLost)
	}
	if err := s.save(ctx, s.owned, c); err != nil {
		s.owned = nil
		return s.wrap(lost(err))
	}
	s.owned.state.Take(c)
	return nil
}

// DeleteEmptyPages deletes pages without records once there are many of them.
func (s *Store) DeleteEmptyPages(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned == nil {
		return nil
	}
	if err := s.deleteEmptyPages(ctx, s.owned); err != nil {
		s.owned = nil
		return s.wrap(lost(err))
	}
	return nil
}

func (s *Store) wrap(err error) error { return fmt.Errorf("inventory %s: %w", s.name, err) }

// lost adds ErrLost to the errors of a write that only another process can cause.
func lost(err error) error {
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) && !isKindMissing(err) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// owned is the inventory that a Store has taken over.
type owned struct {
	head     *waybill.BackendInventory
	pages    map[int64]page
	sequence int64 // of the last save
	state    *backendinventory.Inventory
}

// lastPage is the number of the last page that may exist.
func (o *owned) lastPage() (n int64) {
	n, _ = annotation(o.head, lastPageKey) // takeHead has checked it
	return n
}

// assemble makes one inventory of all pages.
func (o *owned) assemble(name string) (*backendinventory.Inventory, error) {
	whole := &waybill.BackendInventory{}
	whole.Name, whole.Spec.Backend, whole.Spec.URL = name, o.head.Spec.Backend, o.head.Spec.URL
	for _, n := range sortedKeys(o.pages) {
		whole.Spec.Next = max(whole.Spec.Next, o.pages[n].Spec.Next)
		whole.Spec.Resources = append(whole.Spec.Resources, o.pages[n].Spec.Resources...)
	}
	return backendinventory.FromObject(whole)
}
