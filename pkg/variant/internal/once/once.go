// Package once computes values once for each key.
//
// Shape: Get computes a value at the first call with its key; other calls with the key wait for the result and share it.
// Cost: every value stays until Delete. Errors: that of the computation is kept like a value.
package once

import "sync"

// Map holds values by their keys. Many goroutines may use it at once. The zero Map is empty.
type Map[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]func() (V, error)
}

// Get returns what compute returned when Get was first called with a key. Calls with other keys do not wait for it.
func (m *Map[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	get := m.values[key]
	if get == nil {
		if m.values == nil {
			m.values = map[K]func() (V, error){}
		}
		get = sync.OnceValues(compute)
		m.values[key] = get
	}
	m.mu.Unlock()
	return get()
}

// Delete removes the value of a key.
func (m *Map[K, V]) Delete(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
}
