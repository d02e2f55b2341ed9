package cluster

import (
	"cmp"
	"slices"
	"sync"
)

// heldBack are the variants that a budget keeps from changing anything.
type heldBack struct {
	mu   sync.Mutex
	keys map[key]bool
}

func (h *heldBack) set(at key, held bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keys == nil {
		h.keys = map[key]bool{}
	}
	if delete(h.keys, at); held {
		h.keys[at] = true
	}
}

// with are keys of a namespace, and those held back there, sorted, each once.
func (h *heldBack) with(namespace string, keys []key) []key {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(keys)
	for k := range h.keys {
		if k.Namespace == namespace {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b key) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Compact(all)
}
