package mapping

import (
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// corner is the part of a shelf that one follower keeps current: a namespace, or all.
type corner struct {
	*shelf
	namespace string
	err       error       // why it may not hold all there is
	odd       map[at]bool // objects whose type has another scope than this one
}

// errOtherScope says that a type was made anew.
var errOtherScope = errors.New("its objects are in namespaces and were not, or the other way round; it is looked at anew")

// addCorner adds one of which nothing is known yet.
func (s *shelf) addCorner(namespace string) *corner {
	c := &corner{s, namespace, errUnknown, map[at]bool{}}
	s.corners[namespace] = c
	return c
}

// Put implements follow.Listener. What cannot be read, which no API server sends, is as if it were not there.
func (c *corner) Put(u *unstructured.Unstructured) {
	if (u.GetNamespace() != "") != c.namespaced {
		c.mu.Lock()
		c.odd[at{u.GetNamespace(), u.GetName()}] = true
		c.mu.Unlock()
		c.Failed(errOtherScope)
		return
	}
	if o, err := objectOf(u); err == nil {
		c.put(o, true, nil)
	}
}

// Drop implements follow.Listener.
func (c *corner) Drop(namespace, name string) {
	c.mu.Lock()
	delete(c.odd, at{namespace, name})
	c.mu.Unlock()
	c.drop(at{namespace, name})
}

// Served implements follow.Listener. An answer to a write that the list does not know of any more goes.
func (c *corner) Served(kind, version string) {
	listed, _ := strconv.ParseUint(version, 10, 64)
	c.mu.Lock()
	c.err = nil
	switch {
	case kind == "":
		c.err = follow.ErrNotServed
	case len(c.odd) > 0:
		c.err = errOtherScope
	}
	var ghosts []at
	for where, e := range c.entries {
		if !e.sure && e.version <= listed && (c.namespace == "" || c.namespace == where[0]) {
			ghosts = append(ghosts, where)
		}
	}
	c.mu.Unlock()
	for _, where := range ghosts {
		c.drop(where)
	}
	c.changed()
}

// Failed implements follow.Listener.
func (c *corner) Failed(err error) {
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	c.changed()
}

// changed tells users that more or less is known.
func (c *corner) changed() {
	c.mu.Lock()
	var users []*worker
	for w := range c.users {
		users = append(users, w)
	}
	c.mu.Unlock()
	for _, w := range users {
		w.agenda.everything()
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
	s.entries[atOf(o)] = &entry{c, e.version, e.sure}
}
