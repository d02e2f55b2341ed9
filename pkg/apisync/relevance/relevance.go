// Package relevance remembers which objects matter to which primaries, as the last Round of each primary said.
//
// Shape: Record is called after each Round of one primary. An event of an object concerns the Primaries of its key; an
// origin keeps its finalizer as long as it is Held, or a primary of its workspace is Undecided. An Index is safe for
// concurrent use.
// Cost: a set for each object. Errors: none.
package relevance

import (
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// Index is what is remembered. The zero Index is empty.
type Index struct {
	mu        sync.Mutex
	last      map[string]record           // by primary
	primaries map[string]sets.Set[string] // by the key of an object
}

// record is what the last Round of a primary said.
type record struct {
	objects   []string       // the keys of all relevant objects
	pairs     []apisync.Pair // as of the last Round that knew them
	undecided bool           // the last Round did not know all of them
}

// Record notes a Round of a primary, and the keys of all objects that are relevant to the primary.
func (x *Index) Record(primary string, r *apisync.Round, objects []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last == nil {
		x.last, x.primaries = map[string]record{}, map[string]sets.Set[string]{}
	}
	now := record{objects, r.Pairs, r.Undecided[primary]}
	if now.undecided {
		now.pairs = x.last[primary].pairs // they may still hold
	}
	x.forget(primary)
	x.last[primary] = now
	for _, key := range objects {
		if x.primaries[key] == nil {
			x.primaries[key] = sets.Set[string]{}
		}
		x.primaries[key].Insert(primary)
	}
}

// Forget removes a primary.
func (x *Index) Forget(primary string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.forget(primary)
}

func (x *Index) forget(primary string) {
	for _, key := range x.last[primary].objects {
		if x.primaries[key].Delete(primary); len(x.primaries[key]) == 0 {
			delete(x.primaries, key)
		}
	}
	delete(x.last, primary)
}

// Primaries are the primaries that an object is relevant to.
func (x *Index) Primaries(object string) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.primaries[object].UnsortedList()
}

// Recorded are the primaries that had a Round.
func (x *Index) Recorded() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Collect(maps.Keys(x.last))
}

// Origins returns the keys of the origins that need a finalizer, and the workspaces of primaries whose related objects are
// not known.
func (x *Index) Origins() (held, undecided sets.Set[string]) {
	x.mu.Lock()
	defer x.mu.Unlock()
	held, undecided = sets.Set[string]{}, sets.Set[string]{}
	for primary, r := range x.last {
		for _, one := range r.pairs {
			if one.Holds {
				held.Insert(one.Origin.String())
			}
		}
		if workspace, _, err := applyset.ParseKey(primary); err == nil && r.undecided {
			undecided.Insert(workspace)
		}
	}
	return held, undecided
}
