package sharedcache

import (
	"sync"
	"time"
)

// How long a command may wait for a store without gain. What is saved extends it.
const (
	patienceAtStart = 10 * time.Second
	patiencePerMiss = 50 * time.Millisecond
	patiencePerHit  = 250 * time.Millisecond
	patiencePerMiB  = time.Second
	retryAfter      = 5 * time.Minute
)

// meter decides whether a store is asked: not for a while after an error, and not when asking took longer than it may.
// Requests at the same time count once.
type meter struct {
	now func() time.Time

	mu      sync.Mutex
	asking  int
	since   time.Time // when the first of the current requests began
	waited  time.Duration
	allowed time.Duration
	paused  time.Time // until then the store is not asked
}

func newMeter() *meter { return &meter{now: time.Now, allowed: patienceAtStart} }

// begin reports whether the store may be asked. Then the caller calls end.
func (m *meter) begin() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if now.Before(m.paused) {
		return false
	}
	if m.asking++; m.asking == 1 {
		m.since = now
	}
	return true
}

// end counts the time of a request, and what it earns. It reports whether the store is too slow, once.
func (m *meter) end(earned time.Duration) (tooSlow bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.allowed += earned
	m.waited += now.Sub(m.since)
	m.since = now
	m.asking--
	if m.waited <= m.allowed || now.Before(m.paused) {
		return false
	}
	m.pauseLocked(now)
	return true
}

// pause stops the requests for a while.
func (m *meter) pause() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pauseLocked(m.now())
}

func (m *meter) pauseLocked(now time.Time) {
	m.paused, m.waited, m.allowed = now.Add(retryAfter), 0, patienceAtStart
}
