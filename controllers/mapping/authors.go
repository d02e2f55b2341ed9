package mapping

import (
	"sync"
)

// authors says which MapController writes the status of a parent that several of them select: the first by
// name of those that would. Two that wrote in turns would never come to an end. The others are told when it
// gives up.
type authors struct {
	mu sync.Mutex
	of map[paper]*desk
}

type paper struct {
	kind   kind
	parent string
}

// desk is who would write a status, by name, with how to be told.
type desk struct {
	name string // who does
	all  map[string]func()
}

func newAuthors() *authors { return &authors{of: map[paper]*desk{}} }

// claim asks for the status of a parent; wake is called once it may be asked for again with success.
func (a *authors) claim(k kind, parent, name string, wake func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := paper{k, parent}
	if a.of[at] == nil {
		a.of[at] = &desk{name, map[string]func(){}}
	}
	d := a.of[at]
	d.all[name] = wake
	d.name = min(d.name, name)
	return d.name == name
}

// release has somebody give up what is claimed, but for what is kept, and tells others who wait for it.
func (a *authors) release(name string, keeps func(paper) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for at, d := range a.of {
		if d.all[name] == nil || keeps(at) {
			continue
		}
		delete(d.all, name)
		if d.name != name {
			continue
		}
		delete(a.of, at)
		for _, wake := range d.all {
			wake()
		}
	}
}

// all keeps nothing.
func all(paper) bool { return false }
