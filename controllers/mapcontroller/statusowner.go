package mapcontroller

import (
	"sync"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// statusOwners decides which MapController writes the status of a parent that several of them select: the first by name. Two
// would overwrite each other without end. The owner wakes the others when it releases the status.
type statusOwners struct {
	mu sync.Mutex
	of map[parentKey]*claims
}

type parentKey struct {
	resource live.Resource
	key      string
}

// claims are the MapControllers that want to write one status.
type claims struct {
	owner string
	wake  map[string]func() // by name
}

func newStatusOwners() *statusOwners { return &statusOwners{of: map[parentKey]*claims{}} }

// claim reports whether a MapController writes the status of a parent; wake is called when that may have changed.
func (s *statusOwners) claim(resource live.Resource, parent, name string, wake func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := parentKey{resource, parent}
	if s.of[at] == nil {
		s.of[at] = &claims{name, map[string]func(){}}
	}
	c := s.of[at]
	c.wake[name] = wake
	c.owner = min(c.owner, name)
	return c.owner == name
}

// release releases the claims of a MapController, except those that it keeps, and wakes the others that wait for them.
func (s *statusOwners) release(name string, keeps func(parentKey) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, c := range s.of {
		if c.wake[name] == nil || keeps != nil && keeps(at) {
			continue
		}
		delete(c.wake, name)
		if c.owner != name {
			continue
		}
		delete(s.of, at)
		for _, wake := range c.wake {
			wake()
		}
	}
}
