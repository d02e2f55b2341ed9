package syncing

import (
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/syncing"
)

// memory is what a worker remembers from pass to pass, since its PublishedResource was made ready. To lose it costs
// some questions, and what it says of states.
type memory struct {
	mu          sync.Mutex
	failing     map[string]trouble         // by primary
	refused     string                     // what is not deleted, and why
	unavailable string                     // which workspaces are not worked, and why
	waiting     bool                       // some workspaces are not known yet
	statuses    map[shelfKey]bool          // types, by whether their objects have a status that is written on its own
	detached    int                        // primaries that are not there, though something is left of them
	pairs       map[string][]syncing.Pair  // what is related to a primary, by its last round; of which it is known
	undecided   map[string]bool            // primaries of which it is not known
	cares       map[string]map[string]bool // primaries by the key of an object that matters to them
	cared       map[string][]string        // and the other way round
	looked      map[string]bool            // primaries that had a round
	unheard     map[string]string          // statuses that an API server dropped, by object
	warned      map[string]bool            // primaries that were told that a status has no place
	// states are what was last applied, where that is too large for the Secret. After a restart, fields that such
	// a copy lost meanwhile stay.
	states map[string]map[string][]byte // by Secret and entry
}

// trouble is what is wrong with a primary, and how long it rests.
type trouble struct {
	text  string
	pause time.Duration
}

func newMemory() *memory {
	return &memory{failing: map[string]trouble{}, pairs: map[string][]syncing.Pair{}, undecided: map[string]bool{},
		cares: map[string]map[string]bool{}, cared: map[string][]string{}, looked: map[string]bool{}, unheard: map[string]string{},
		warned: map[string]bool{}, statuses: map[shelfKey]bool{}, states: map[string]map[string][]byte{}}
}

// care notes all objects that matter to a primary, by key.
func (m *memory) care(primary string, objects []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range m.cared[primary] {
		if delete(m.cares[key], primary); len(m.cares[key]) == 0 {
			delete(m.cares, key)
		}
	}
	m.cared[primary] = objects
	for _, key := range objects {
		if m.cares[key] == nil {
			m.cares[key] = map[string]bool{}
		}
		m.cares[key][primary] = true
	}
	if len(objects) == 0 {
		delete(m.cared, primary)
	}
}

// caring are the primaries that an object matters to.
func (m *memory) caring(key string) (primaries []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for primary := range m.cares[key] {
		primaries = append(primaries, primary)
	}
	return primaries
}

// drop forgets a primary.
func (m *memory) drop(primary string) {
	m.care(primary, nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.failing, primary)
	delete(m.pairs, primary)
	delete(m.undecided, primary)
	delete(m.looked, primary)
	delete(m.warned, primary)
}

// note takes down what a round says of a primary's related objects.
func (m *memory) note(primary string, r *syncing.Round) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looked[primary] = true
	if r.Undecided[primary] {
		m.undecided[primary] = true
		return // what was known may still hold
	}
	delete(m.undecided, primary)
	m.pairs[primary] = r.Pairs
}
