package mapping

import (
	"context"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// scope says which parents a pass looks at: all, or those of some namespaces and those in none.
type scope struct {
	all        bool
	namespaces map[string]bool
}

// covers reports whether a pass looks at the parents of a namespace.
func (s scope) covers(namespace string) bool {
	return s.all || namespace == "" || s.namespaces[namespace]
}

// coversParent reports whether a pass looks at the parent of a key.
func (s scope) coversParent(key string) bool {
	_, id, err := correspond.ParseKey(key)
	return err == nil && s.covers(id.Namespace)
}

// agenda is what one MapController has to look at, now and later.
type agenda struct {
	wake chan struct{} // holds one

	mu         sync.Mutex
	all        bool
	namespaces map[string]bool
	later      map[string]time.Time // by namespace; "" for all
}

func newAgenda() *agenda {
	return &agenda{wake: make(chan struct{}, 1), namespaces: map[string]bool{}, later: map[string]time.Time{}, all: true}
}

// everything has all parents looked at.
func (a *agenda) everything() { a.change(func() { a.all = true }) }

// around has the parents that see a namespace looked at.
func (a *agenda) around(namespace string) {
	a.change(func() {
		if namespace == "" {
			a.all = true
		} else if !a.all {
			a.namespaces[namespace] = true
		}
	})
}

// after has the parents of a namespace, "" for all, looked at once a time is over, or earlier.
func (a *agenda) after(pause time.Duration, namespace string) {
	a.change(func() {
		when := time.Now().Add(pause)
		if old, is := a.later[namespace]; !is || when.Before(old) {
			a.later[namespace] = when
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
	for namespace, when := range a.later {
		switch left := when.Sub(now); {
		case left > 0:
			if wait < 0 || left < wait {
				wait = left
			}
			continue
		case namespace == "":
			a.all = true
		default:
			a.namespaces[namespace] = true
		}
		delete(a.later, namespace)
	}
	if !a.all && len(a.namespaces) == 0 {
		return s, false, wait
	}
	s = scope{a.all, a.namespaces}
	if a.all {
		clear(a.later) // it is all done now
	}
	a.all, a.namespaces = false, map[string]bool{}
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
