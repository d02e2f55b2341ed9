package backendtest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// Things are all things there are, by name.
type Things map[string]*thing

// Things are the things that are there now.
func (w *Server) Things() Things {
	w.guard.Lock()
	defer w.guard.Unlock()
	return maps.Clone(w.things)
}

// Restore makes of the server what it was.
func (w *Server) Restore(things Things) {
	w.guard.Lock()
	defer w.guard.Unlock()
	w.things = Things{}
	for name, t := range things {
		again := *t
		w.things[name] = &again
	}
}

// State is everything there is, by name, and the order of rules, latest first.
func (w *Server) State() (things map[string]any, rules map[string][]string) {
	w.guard.Lock()
	defer w.guard.Unlock()
	things, rules = map[string]any{}, map[string][]string{}
	all := slices.SortedFunc(maps.Values(w.things), func(a, b *thing) int { return b.born - a.born })
	for _, t := range all {
		things[nameOf(t.kind, t.parent, t.id)+" in "+t.parent] = t.body
		if t.kind == "Rule" {
			rules[t.parent] = append(rules[t.parent], t.id)
		}
	}
	return things, rules
}

// Named is how State names a resource, and its body.
func Named(t testing.TB, kind, parent, body string) (name string, fields map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatal(err)
	}
	for _, s := range sorts {
		if s.kind == kind {
			return nameOf(kind, parent, s.id(parent, fields)) + " in " + parent, fields
		}
	}
	t.Fatalf("no kind %s", kind)
	return "", nil
}
