package clustertest

import (
	"errors"
	"net/http"
	"sync"
)

// Killer ends a process, as it were, at a point of its life: from then on nothing that it sends arrives. Points are before
// and after each request that it carries.
type Killer struct {
	guard  sync.Mutex
	points int
	at     int // 0: never
	fails  bool
	dead   chan struct{}
}

var errKilled = errors.New("killed")

// NewKiller kills at a point; 0 is never.
func NewKiller(at int) *Killer { return &Killer{at: at, dead: make(chan struct{})} }

// NewFailer has only the request at a point fail, before or after it was done. Arm says at which.
func NewFailer() *Killer { return &Killer{fails: true, dead: make(chan struct{})} }

// Arm counts points anew, and kills at another one.
func (k *Killer) Arm(at int) {
	k.guard.Lock()
	defer k.guard.Unlock()
	k.points, k.at, k.dead = 0, at, make(chan struct{})
}

// Dead is closed at the point.
func (k *Killer) Dead() <-chan struct{} {
	k.guard.Lock()
	defer k.guard.Unlock()
	return k.dead
}

// Points returns how many points were passed.
func (k *Killer) Points() int {
	k.guard.Lock()
	defer k.guard.Unlock()
	return k.points
}

// pass passes one more point.
func (k *Killer) pass() error {
	k.guard.Lock()
	defer k.guard.Unlock()
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

// Carry carries requests for as long as the process lives. Those that are free are no points, and go through even then; nil is
// none.
func (k *Killer) Carry(by http.RoundTripper, free func(*http.Request) bool) http.RoundTripper {
	return carrier(func(r *http.Request) (*http.Response, error) {
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

// lost is the answer to a request whose own answer does not arrive.
func (k *Killer) lost(r *http.Request) (*http.Response, error) {
	if !k.fails {
		return nil, errKilled
	}
	return &http.Response{StatusCode: http.StatusInternalServerError, Request: r, Header: http.Header{}, Body: http.NoBody}, nil
}

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }
