package mapping

import (
	"errors"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// at is the namespace and the name of an object.
type at [2]string

func atOf(o *krm.Object) at { return at{o.Namespace(), o.Name()} }

// shelf holds all objects of one type, in one version, for all MapControllers that need them.
type shelf struct {
	kind
	stop func()

	mu      sync.Mutex
	entries map[at]*entry
	corners map[string]*corner // by the namespace that is followed; "" for all
	users   map[*worker]bool
	writing map[at]*write
	stirred time.Time // when an object last came or went
}

// entry is an object that is known.
type entry struct {
	object  *krm.Object
	version uint64
	// sure says that the API server told of it on its own, not in an answer to a write.
	sure bool
}

// write is one that is on its way.
type write struct {
	count int
	gone  bool // the object went meanwhile
}

func newShelf(k kind) *shelf {
	return &shelf{kind: k, entries: map[at]*entry{}, corners: map[string]*corner{}, users: map[*worker]bool{}, writing: map[at]*write{}}
}

// errUnknown says that a type has not been listed yet.
var errUnknown = errors.New("its objects are not known yet")

// trouble says why the shelf may not hold all there is; nil when it does.
func (s *shelf) trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.corners {
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// objects are all of them, which nobody may change.
func (s *shelf) objects() []*krm.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*krm.Object, 0, len(s.entries))
	for _, e := range s.entries {
		out = append(out, e.object)
	}
	return out
}

// put takes in an object, unless a later state of it is here, and tells all users but one.
func (s *shelf) put(o *krm.Object, sure bool, except *worker) {
	before, news := s.replace(o, sure)
	if news {
		s.tell(before, o, except)
	}
}

func (s *shelf) replace(o *krm.Object, sure bool) (before *krm.Object, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, version := s.entries[atOf(o)], versionOf(o)
	if e != nil {
		e.sure = e.sure || sure
		if version <= e.version && version > 0 {
			return nil, false
		}
		before, sure = e.object, e.sure
	} else {
		s.stirred = time.Now()
	}
	s.entries[atOf(o)] = &entry{o, version, sure}
	return before, true
}

// drop takes an object away.
func (s *shelf) drop(where at) {
	s.mu.Lock()
	e := s.entries[where]
	delete(s.entries, where)
	if e != nil {
		s.stirred = time.Now()
	}
	if w := s.writing[where]; w != nil {
		w.gone = true
	}
	s.mu.Unlock()
	if e != nil {
		s.tell(e.object, nil, nil)
	}
}

// tell tells users of a change.
func (s *shelf) tell(before, after *krm.Object, except *worker) {
	s.mu.Lock()
	var users []*worker
	for w := range s.users {
		if w != except {
			users = append(users, w)
		}
	}
	s.mu.Unlock()
	for _, w := range users {
		w.noticed(s.kind, before, after)
	}
}

// begin announces a write to an object, so that what the API server says of it meanwhile is not
// overwritten by the answer. The result takes the answer in; nil for none.
func (s *shelf) begin(where at) (end func(answer *krm.Object, except *worker)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.writing[where]
	if w == nil {
		w = &write{}
		s.writing[where] = w
	}
	w.count++
	return func(answer *krm.Object, except *worker) {
		s.mu.Lock()
		gone := w.gone
		if w.count--; w.count == 0 {
			delete(s.writing, where)
		}
		s.mu.Unlock()
		if answer != nil && !gone {
			s.put(answer, false, except)
		}
	}
}
