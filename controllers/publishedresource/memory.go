package publishedresource

import (
	"sync"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
)

// memory is what a worker remembers from pass to pass, since its PublishedResource was made ready. To lose it costs
// some questions, and what it says of states.
type memory struct {
	mu            sync.Mutex
	failing       map[string]failure         // by primary
	refused       string                     // what is not deleted, and why
	unavailable   string                     // which workspaces are not worked, and why
	waiting       bool                       // some workspaces are not known yet
	statuses      map[live.CacheKey]bool     // types, by whether their objects have a status that is written on its own
	detached      int                        // primaries that are not there, though something is left of them
	pairs         map[string][]apisync.Pair  // what is related to a primary, by its last round; of which it is known
	undecided     map[string]bool            // primaries of which it is not known
	primaries     map[string]map[string]bool // by the key of an object that is relevant to them
	relevant      map[string][]string        // and the other way round
	reconciled    map[string]bool            // primaries that had a round
	droppedStatus map[string]string          // statuses that an API server dropped, by object
	warned        map[string]bool            // primaries that were told that a status has no place
	// states are what was last applied, where that is too large for the Secret. After a restart, fields that such
	// a copy lost meanwhile stay.
	states map[string]map[string][]byte // by Secret and entry
}

// failure is what is wrong with a primary, and how long it rests.
type failure struct {
	text  string
	pause time.Duration
}

func newMemory() *memory {
	return &memory{failing: map[string]failure{}, pairs: map[string][]apisync.Pair{}, undecided: map[string]bool{},
		primaries: map[string]map[string]bool{}, relevant: map[string][]string{}, reconciled: map[string]bool{},
		droppedStatus: map[string]string{},
		warned:        map[string]bool{}, statuses: map[live.CacheKey]bool{}, states: map[string]map[string][]byte{}}
}

// setRelevant notes all objects that are relevant to a primary, by key.
func (m *memory) setRelevant(primary string, objects []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range m.relevant[primary] {
		if delete(m.primaries[key], primary); len(m.primaries[key]) == 0 {
			delete(m.primaries, key)
		}
	}
	m.relevant[primary] = objects
	for _, key := range objects {
		if m.primaries[key] == nil {
			m.primaries[key] = map[string]bool{}
		}
		m.primaries[key][primary] = true
	}
	if len(objects) == 0 {
		delete(m.relevant, primary)
	}
}

// primariesOf are the primaries that an object is relevant to.
func (m *memory) primariesOf(key string) (primaries []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for primary := range m.primaries[key] {
		primaries = append(primaries, primary)
	}
	return primaries
}

// drop forgets a primary.
func (m *memory) drop(primary string) {
	m.setRelevant(primary, nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.failing, primary)
	delete(m.pairs, primary)
	delete(m.undecided, primary)
	delete(m.reconciled, primary)
	delete(m.warned, primary)
}

// note records what a round says about the objects that are related to a primary.
func (m *memory) note(primary string, r *apisync.Round) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reconciled[primary] = true
	if r.Undecided[primary] {
		m.undecided[primary] = true
		return // what was known may still hold
	}
	delete(m.undecided, primary)
	m.pairs[primary] = r.Pairs
}
