package syncing

import (
	"context"
	"sync"
	"time"
)

// scope says which primaries a pass looks at: all, or some, by key.
type scope struct {
	all  bool
	keys map[string]bool
}

// agenda is what one PublishedResource has to look at, now and later.
type agenda struct {
	wake chan struct{} // holds one

	mu    sync.Mutex
	all   bool
	keys  map[string]bool
	later map[string]time.Time // by key; "" for all
}

func newAgenda() *agenda {
	return &agenda{wake: make(chan struct{}, 1), keys: map[string]bool{}, later: map[string]time.Time{}, all: true}
}

// everything has all primaries looked at.
func (a *agenda) everything() { a.change(func() { a.all = true }) }

// look has one looked at.
func (a *agenda) look(key string) { a.change(func() { a.keys[key] = true }) }

// after has a primary, "" for all, looked at once a time is over, or earlier.
func (a *agenda) after(pause time.Duration, key string) {
	a.change(func() {
		when := time.Now().Add(pause)
		if old, is := a.later[key]; !is || when.Before(old) {
			a.later[key] = when
		}
	})
}

func (a *agenda) change(what func()) {
	a.mu.Lock()
	what()
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// take is what is to be looked at now; false when nothing is, and then for how long: negative for ever.
func (a *agenda) take() (s scope, is bool, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	wait = -1
	for key, when := range a.later {
		switch left := when.Sub(now); {
		case left > 0:
			if wait < 0 || left < wait {
				wait = left
			}
			continue
		case key == "":
			a.all = true
		default:
			a.keys[key] = true
		}
		delete(a.later, key)
	}
	if !a.all && len(a.keys) == 0 {
		return s, false, wait
	}
	s = scope{a.all, a.keys}
	if a.all {
		clear(a.later) // it is all done now
	}
	a.all, a.keys = false, map[string]bool{}
	return s, true, 0
}

// await waits until there is something to look at; false when ctx has ended.
func (a *agenda) await(ctx context.Context) (scope, bool) {
	for {
		s, is, wait := a.take()
		if is {
			return s, ctx.Err() == nil
		}
		var alarm <-chan time.Time
		if wait >= 0 {
			alarm = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return s, false
		case <-alarm:
		case <-a.wake:
		}
	}
}
