package syncing

import (
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// errOtherScope says that a type was made anew.
var errOtherScope = errors.New("its objects are in namespaces and were not, or the other way round; it is looked at anew")

// Put implements follow.Listener. What cannot be read, which no API server sends, is as if it were not there.
func (s *shelf) Put(u *unstructured.Unstructured) {
	if (u.GetNamespace() != "") != s.namespaced {
		s.mu.Lock()
		s.odd[at{u.GetNamespace(), u.GetName()}] = true
		s.mu.Unlock()
		s.Failed(errOtherScope)
		return
	}
	if o, err := objectOf(u); err == nil {
		s.put(o, true, nil)
	}
}

// Drop implements follow.Listener.
func (s *shelf) Drop(namespace, name string) {
	s.mu.Lock()
	delete(s.odd, at{namespace, name})
	s.mu.Unlock()
	s.drop(at{namespace, name})
}

// Served implements follow.Listener. An answer to a write that the list does not know of any more goes.
func (s *shelf) Served(kind, version string) {
	listed, _ := strconv.ParseUint(version, 10, 64)
	s.mu.Lock()
	s.err = nil
	switch {
	case kind == "":
		s.err = follow.ErrNotServed
	case len(s.odd) > 0:
		s.err = errOtherScope
	}
	var ghosts []at
	for where, e := range s.entries {
		if !e.sure && e.version <= listed {
			ghosts = append(ghosts, where)
		}
	}
	s.mu.Unlock()
	for _, where := range ghosts {
		s.drop(where)
	}
	s.changed()
}

// Failed implements follow.Listener.
func (s *shelf) Failed(err error) {
	s.mu.Lock()
	s.err = err
	s.mu.Unlock()
	s.changed()
}

// changed tells users that more or less is known.
func (s *shelf) changed() {
	for _, w := range s.listeners() {
		w.agenda.everything()
	}
}

func (s *shelf) listeners() (all []*worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.users {
		all = append(all, w)
	}
	return all
}

// tell tells users of a change, but for the one that made it.
func (s *shelf) tell(before, after *krm.Object, except *worker) {
	for _, w := range s.listeners() {
		if w != except {
			w.noticed(s, before, after)
		}
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

// dying has an object count as being deleted, which it is once a deletion was accepted, until the API server
// tells more.
func (s *shelf) dying(o *krm.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[atOf(o)]
	if e == nil || uidOf(e.object) != uidOf(o) || isDeleting(e.object) {
		return
	}
	c := e.object.DeepCopy()
	krm.SetField(c.Lookup("metadata"), "deletionTimestamp", krm.StringNode("1970-01-01T00:00:00Z")) // when, nobody asks
	s.set(atOf(o), &entry{c, e.version, e.sure})
}
