package syncing

import (
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// kind is a type in one version, and whether its objects have namespaces.
type kind struct {
	schema.GroupVersionResource
	namespaced bool
}

// at is the namespace and the name of an object.
type at [2]string

func atOf(o *krm.Object) at { return at{o.Namespace(), o.Name()} }

// shelf holds all objects of one type of a server, for all PublishedResources that need them, and finds them by
// words: their namespace, whose copies they are, and the finalizers they have.
type shelf struct {
	kind
	server *server
	stop   func()

	mu      sync.Mutex
	err     error // why it may not hold all there is
	odd     map[at]bool
	entries map[at]*entry
	words   map[string]map[at]bool
	users   map[*worker]bool
	writing map[at]*write
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

// errUnknown says that a type has not been listed yet.
var errUnknown = errors.New("its objects are not known yet")

func newShelf(s *server, k kind) *shelf {
	return &shelf{kind: k, server: s, err: errUnknown, odd: map[at]bool{}, entries: map[at]*entry{}, words: map[string]map[at]bool{},
		users: map[*worker]bool{}, writing: map[at]*write{}}
}

// Words that objects are found by.
func inNamespace(namespace string) string { return "in " + namespace }
func ofOwner(key string) string           { return "owner " + key }
func ofInput(key string) string           { return "input " + key }
func ofMapKey(key string) string          { return "key " + correspond.MapKey(key) }
func holding(finalizer string) string     { return "has " + finalizer }

func wordsOf(o *krm.Object) []string {
	words := []string{inNamespace(o.Namespace())}
	t := correspond.TagsOf(o)
	if t.Owner != "" {
		words = append(words, ofOwner(t.Owner))
	}
	if t.Input != "" {
		words = append(words, ofInput(t.Input))
	}
	if t.MapKey != "" {
		words = append(words, "key "+t.MapKey)
	}
	for _, f := range finalizersOf(o) {
		words = append(words, holding(f))
	}
	return words
}

// trouble says why the shelf may not hold all there is; nil when it does.
func (s *shelf) trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// get is an object, which nobody may change; nil when there is none.
func (s *shelf) get(where at) *krm.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[where]; e != nil {
		return e.object
	}
	return nil
}

// count is how many objects there are.
func (s *shelf) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.entries)
}

// find are the objects that have a word, by namespace and name.
func (s *shelf) find(word string) []*krm.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sorted(s.words[word])
}

// objects are all of them.
func (s *shelf) objects() []*krm.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[at]bool, len(s.entries))
	for where := range s.entries {
		all[where] = true
	}
	return s.sorted(all)
}

func (s *shelf) sorted(which map[at]bool) []*krm.Object {
	places := make([]at, 0, len(which))
	for where := range which {
		places = append(places, where)
	}
	slices.SortFunc(places, func(a, b at) int { return slices.Compare(a[:], b[:]) })
	out := make([]*krm.Object, 0, len(places))
	for _, where := range places {
		out = append(out, s.entries[where].object)
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
	}
	s.set(atOf(o), &entry{o, version, sure})
	return before, true
}

// set puts an entry in the place of the one that there is, if any; nil takes that away.
func (s *shelf) set(where at, e *entry) {
	if old := s.entries[where]; old != nil {
		for _, word := range wordsOf(old.object) {
			if delete(s.words[word], where); len(s.words[word]) == 0 {
				delete(s.words, word)
			}
		}
	}
	delete(s.entries, where)
	if e == nil {
		return
	}
	s.entries[where] = e
	for _, word := range wordsOf(e.object) {
		if s.words[word] == nil {
			s.words[word] = map[at]bool{}
		}
		s.words[word][where] = true
	}
}

// drop takes an object away.
func (s *shelf) drop(where at) {
	s.mu.Lock()
	e := s.entries[where]
	s.set(where, nil)
	if w := s.writing[where]; w != nil {
		w.gone = true
	}
	s.mu.Unlock()
	if e != nil {
		s.tell(e.object, nil, nil)
	}
}
