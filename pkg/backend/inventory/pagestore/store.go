package pagestore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// ErrLost means that another process has written the inventory.
var ErrLost = errors.New("another process has written the inventory")

// Objects reads and writes BackendInventories without a cache. Its errors are those of an API server.
type Objects interface {
	Get(ctx context.Context, at types.NamespacedName) (*waybill.BackendInventory, error)
	// List returns all with a label.
	List(ctx context.Context, namespace, label, value string) ([]waybill.BackendInventory, error)
	Create(ctx context.Context, o *waybill.BackendInventory) error
	// Update and Delete succeed only if the object has the resourceVersion of o.
	Update(ctx context.Context, o *waybill.BackendInventory) error
	Delete(ctx context.Context, o *waybill.BackendInventory) error
}

// Store is an inventory in an API server.
type Store struct {
	objects Objects
	name    types.NamespacedName
	backend string

	mu    sync.Mutex
	owned *owned // nil: not taken over
}

// New returns the inventory of a backend.
func New(objects Objects, name types.NamespacedName, backend string) *Store {
	return &Store{objects: objects, name: name, backend: backend}
}

// Load returns a copy of the inventory, after taking it over if this Store does not own it.
func (s *Store) Load(ctx context.Context) (*inventory.Inventory, error) {
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

// Save writes a change. After an error it is not known what was written: Save writes nothing more before Load has taken the
// inventory over again.
func (s *Store) Save(ctx context.Context, c inventory.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned == nil {
		return s.wrap(ErrLost)
	}
	if err := s.save(ctx, s.owned, c); err != nil {
		return s.lose(err)
	}
	s.owned.state.Take(c)
	return nil
}

// DeleteEmptyPages deletes the pages without records when there are many of them.
func (s *Store) DeleteEmptyPages(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned == nil {
		return nil
	}
	if err := s.deleteEmptyPages(ctx, s.owned); err != nil {
		return s.lose(err)
	}
	return nil
}

func (s *Store) wrap(err error) error { return fmt.Errorf("inventory %s: %w", s.name, err) }

// lose gives up the inventory after an error of a write. It adds ErrLost to the errors that only another process can cause.
func (s *Store) lose(err error) error {
	s.owned = nil
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || isObjectMissing(err) {
		err = fmt.Errorf("%w: %w", ErrLost, err)
	}
	return s.wrap(err)
}

// isObjectMissing reports whether an object does not exist although its kind is served.
func isObjectMissing(err error) bool {
	return apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) &&
		!apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// owned is the inventory that a Store has taken over.
type owned struct {
	head     *waybill.BackendInventory
	epoch    int64
	lastPage int64 // the number of the last page that may exist
	sequence int64 // of the last save
	pages    map[int64]page
	state    *inventory.Inventory
}

func (o *owned) has(number int64) bool {
	p, is := o.pages[pageOf(number)]
	return is && p.has(number)
}

// inventory makes one inventory of all pages.
func (o *owned) inventory() (*inventory.Inventory, error) {
	whole := &waybill.BackendInventory{}
	whole.Name, whole.Spec.Backend, whole.Spec.URL = o.head.Name, o.head.Spec.Backend, o.head.Spec.URL
	for _, n := range o.pageNumbers() {
		whole.Spec.Next = max(whole.Spec.Next, o.pages[n].Spec.Next)
		whole.Spec.Resources = append(whole.Spec.Resources, o.pages[n].Spec.Resources...)
	}
	return inventory.FromObject(whole)
}

func (o *owned) pageNumbers() []int64 { return slices.Sorted(maps.Keys(o.pages)) }
