package engine

import (
	"maps"
	"reflect"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// Wanted is a CombinedStatus that there should be.
type Wanted struct {
	Object *control.CombinedStatus
	// Warnings are what is odd about it.
	Warnings []status.Warning
	// LeftOut are the results that do not fit into it.
	LeftOut []status.Warning
	// Rivals are the Bindings that ask for a CombinedStatus of the same name, in order, and do not get it:
	// what a policy asks for an object has one name, and it is for one Binding to ask. The first gets it.
	Rivals []string
}

// Wanted is the CombinedStatus that should be under a name, or none.
func (e *Engine) Wanted(at Name) (Wanted, bool) {
	claims := e.claims[at]
	if len(claims) == 0 {
		return Wanted{}, false
	}
	w := claims[0].wanted
	for _, s := range claims[1:] {
		w.Rivals = append(w.Rivals, s.binding)
	}
	return w, true
}

// All are the names under which a CombinedStatus should be, in order.
func (e *Engine) All() []Name { return slices.SortedFunc(maps.Keys(e.claims), Name.Compare) }

// want has a subject ask for a CombinedStatus, and for no other any more.
func (e *Engine) want(s *subject, w Wanted) {
	at := Name{w.Object.Namespace, w.Object.Name}
	if s.name != at {
		e.unwant(s)
	}
	before, _ := e.Wanted(at)
	s.name, s.wanted = at, w
	if i, asks := slices.BinarySearchFunc(e.claims[at], s.key, compareClaim); !asks {
		e.claims[at] = slices.Insert(e.claims[at], i, s)
	}
	e.tell(at, before)
}

// unwant has a subject ask for none.
func (e *Engine) unwant(s *subject) {
	at := s.name
	i, asks := slices.BinarySearchFunc(e.claims[at], s.key, compareClaim)
	if !asks {
		return
	}
	before, _ := e.Wanted(at)
	s.name, s.wanted = Name{}, Wanted{}
	if e.claims[at] = slices.Delete(e.claims[at], i, i+1); len(e.claims[at]) == 0 {
		delete(e.claims, at)
	}
	e.tell(at, before)
}

// tell notes that there should be another CombinedStatus than before, if so it is.
func (e *Engine) tell(at Name, before Wanted) {
	now, _ := e.Wanted(at)
	if !reflect.DeepEqual(before.Object, now.Object) || !slices.Equal(before.Rivals, now.Rivals) {
		e.changed[at] = struct{}{}
	}
}

func compareClaim(s *subject, k key) int { return s.compare(k) }
