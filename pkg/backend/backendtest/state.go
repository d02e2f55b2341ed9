package backendtest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// Resources are all resources there are, by name.
type Resources map[string]*resource

// Resources are the resources that are there now.
func (w *Server) Resources() Resources {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.resources)
}

// Restore replaces the content of the server.
func (w *Server) Restore(resources Resources) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resources = Resources{}
	for name, t := range resources {
		again := *t
		w.resources[name] = &again
	}
}

// State is the content by name, and the order of rules, latest first.
func (w *Server) State() (resources map[string]any, rules map[string][]string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	resources, rules = map[string]any{}, map[string][]string{}
	all := slices.SortedFunc(maps.Values(w.resources), func(a, b *resource) int { return b.created - a.created })
	for _, t := range all {
		resources[nameOf(t.kind, t.parent, t.id)+" in "+t.parent] = t.body
		if t.kind == "Rule" {
			rules[t.parent] = append(rules[t.parent], t.id)
		}
	}
	return resources, rules
}

// Named returns the name of a resource in State, and its body.
func Named(t testing.TB, kind, parent, body string) (name string, fields map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatal(err)
	}
	for _, s := range kinds {
		if s.kind == kind {
			return nameOf(kind, parent, s.id(parent, fields)) + " in " + parent, fields
		}
	}
	t.Fatalf("no kind %s", kind)
	return "", nil
}
