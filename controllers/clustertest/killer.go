package clustertest

import (
	"errors"
	"net/http"
	"sync"
)

// Killer simulates the end of a process: from a point on nothing that it sends arrives. Points are before and after each
// request.
type Killer struct {
	mu     sync.Mutex
	points int
	at     int // 0: never
	fails  bool
	dead   chan struct{}
}

var errKilled = errors.New("killed")

// NewKiller returns a Killer for a point; 0 is never.
func NewKiller(at int) *Killer { return &Killer{at: at, dead: make(chan struct{})} }

// NewFailer returns a Killer that fails only the request at a point, before or after its execution. Arm sets the point.
func NewFailer() *Killer { return &Killer{fails: true, dead: make(chan struct{})} }

// Arm starts counting again, and sets another point.
func (k *Killer) Arm(at int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.points, k.at, k.dead = 0, at, make(chan struct{})
}

// Dead is closed at the point.
func (k *Killer) Dead() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dead
}

// Points returns how many points were passed.
func (k *Killer) Points() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.points
}

// pass counts one more point.
func (k *Killer) pass() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.points++; k.points == k.at {
		close(k.dead)
		return errKilled
	}
	if k.at > 0 && k.points > k.at && !k.fails {
		return errKilled
	}
	return nil
}

// IsRead reports whether a request only reads.
func IsRead(r *http.Request) bool { return r.Method == http.MethodGet }

// Transport sends requests through another transport while the process lives. Requests for which free is true are not points:
// they are sent even after its end. A nil free is true for none.
func (k *Killer) Transport(by http.RoundTripper, free func(*http.Request) bool) http.RoundTripper {
	return killerTransport(func(r *http.Request) (*http.Response, error) {
		if free != nil && free(r) {
			return by.RoundTrip(r)
		}
		if err := k.pass(); err != nil {
			return nil, err
		}
		res, err := by.RoundTrip(r)
		if err == nil && k.pass() != nil {
			res.Body.Close()
			return k.lost(r)
		}
		return res, err
	})
}

// lost is the response to a request whose own response does not arrive.
func (k *Killer) lost(r *http.Request) (*http.Response, error) {
	if !k.fails {
		return nil, errKilled
	}
	return &http.Response{StatusCode: http.StatusInternalServerError, Request: r, Header: http.Header{}, Body: http.NoBody}, nil
}

type killerTransport func(*http.Request) (*http.Response, error)

func (t killerTransport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }
