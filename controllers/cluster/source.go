package cluster

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// source is one kind of objects in one namespace: a list that a watch keeps current. While there is
// no watch, whoever asks gets a list of that moment.
type source struct {
	at    place
	of    *sources
	stop  context.CancelFunc
	began time.Time

	listing sync.Mutex // one list at a time

	mu      sync.Mutex
	current bool // what is held is what there is
	held    contents
	turns   int // how often what is held became something else
}

// contents is what there is: items, or why there can be none.
type contents struct {
	items map[string]item // by namespace and name
	err   error
}

// item is an object of a source.
type item struct {
	object *krm.Object
	text   string // what can be injected of it
}

// answer is what a source holds, and in which of its states.
type answer struct {
	objects []*krm.Object // sorted
	err     error
	state   int
}

// answer is what there is. An error that may pass by itself is no answer, and is returned as such.
func (s *source) answer(ctx context.Context) (answer, error) {
	if a, current := s.look(); current {
		return a, nil
	}
	if _, err := s.list(ctx, false); err != nil && !lasting(err) {
		return answer{}, err
	}
	a, _ := s.look()
	return a, nil
}

// look is what is held, and whether that is what there is.
func (s *source) look() (a answer, current bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.err, a.state = s.held.err, s.turns
	for _, it := range s.held.items {
		a.objects = append(a.objects, it.object)
	}
	slices.SortFunc(a.objects, func(x, y *krm.Object) int {
		return cmp.Or(cmp.Compare(x.Namespace(), y.Namespace()), cmp.Compare(x.Name(), y.Name()))
	})
	return a, s.current
}

func (s *source) state() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turns
}

// hold replaces what is held, and tells of it if that is something else.
func (s *source) hold(c contents, current bool) {
	s.mu.Lock()
	turned := !c.same(s.held)
	if turned {
		s.turns++
	}
	s.held, s.current = c, s.current || current
	s.mu.Unlock()
	if turned {
		s.of.tell(s.at)
	}
}

// put holds one object more, or anew; nil takes one away.
func (s *source) put(name string, it *item) {
	s.mu.Lock()
	was, there := s.held.items[name]
	same := it == nil && !there || it != nil && there && it.text == was.text
	if !same {
		s.turns++
		if delete(s.held.items, name); it != nil {
			s.held.items[name] = *it
		}
	}
	s.mu.Unlock()
	if !same {
		s.of.tell(s.at)
	}
}

// lose says that what is held may not be what there is any more.
func (s *source) lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = false
}

func (c contents) same(d contents) bool {
	if c.err != nil || d.err != nil {
		return c.err != nil && d.err != nil && c.err.Error() == d.err.Error()
	}
	return maps.EqualFunc(c.items, d.items, func(x, y item) bool { return x.text == y.text })
}
