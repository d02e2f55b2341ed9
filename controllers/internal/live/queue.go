package live

import (
	"context"
	"sync"
	"time"
)

// Batch is what a Queue returns: all keys, or some.
type Batch struct {
	All  bool
	Keys map[string]bool
}

// Queue collects the keys that one worker has to reconcile, now or later. The empty key means all. Unlike a workqueue of
// client-go it returns everything that is due at once, as one reconcile looks at many objects together, and "all" replaces
// every other key.
type Queue struct {
	wake chan struct{} // holds one

	mu    sync.Mutex
	due   Batch
	later map[string]time.Time
}

// newQueue returns a Queue in which all keys are due.
func newQueue() *Queue {
	return &Queue{wake: make(chan struct{}, 1), due: Batch{All: true, Keys: map[string]bool{}}, later: map[string]time.Time{}}
}

// Add makes a key due now.
func (q *Queue) Add(key string) { q.change(func() { q.add(key) }) }

// AddAll makes all keys due now.
func (q *Queue) AddAll() { q.Add("") }

// AddAfter makes a key due after a pause, unless it is due earlier already.
func (q *Queue) AddAfter(key string, pause time.Duration) {
	q.change(func() {
		at := time.Now().Add(pause)
		if earlier, ok := q.later[key]; !ok || at.Before(earlier) {
			q.later[key] = at
		}
	})
}

func (q *Queue) add(key string) {
	if key == "" {
		q.due.All = true
	} else {
		q.due.Keys[key] = true
	}
}

func (q *Queue) change(what func()) {
	q.mu.Lock()
	what()
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns what is due now. If nothing is, ok is false, and wait is the time until something will be, negative for never.
func (q *Queue) take() (b Batch, ok bool, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	wait = q.promote(time.Now())
	if !q.due.All && len(q.due.Keys) == 0 {
		return b, false, wait
	}
	if b = q.due; b.All {
		clear(q.later) // all are reconciled now
	}
	q.due = Batch{Keys: map[string]bool{}}
	return b, true, 0
}

// promote makes due what was due later, and returns the time until the next one; negative if there is none.
func (q *Queue) promote(now time.Time) (wait time.Duration) {
	wait = -1
	for key, at := range q.later {
		left := at.Sub(now)
		if left <= 0 {
			q.add(key)
			delete(q.later, key)
		} else if wait < 0 || left < wait {
			wait = left
		}
	}
	return wait
}

// Get waits until something is due; false when ctx has ended.
func (q *Queue) Get(ctx context.Context) (Batch, bool) {
	for {
		b, ok, wait := q.take()
		if ok {
			return b, ctx.Err() == nil
		}
		var timer <-chan time.Time
		if wait >= 0 {
			timer = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return b, false
		case <-timer:
		case <-q.wake:
		}
	}
}

// Sleep waits for a time; false when ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Repeat calls a function until ctx ends. The pauses between double from first to last; they begin with first again after a
// call that took longer than last.
func Repeat(ctx context.Context, first, last time.Duration, try func()) {
	for pause := first; ctx.Err() == nil; pause = min(2*pause, last) {
		began := time.Now()
		if try(); time.Since(began) > last {
			pause = first
		}
		Sleep(ctx, pause)
	}
}

// Backoff is a pause that doubles between First and Last.
type Backoff struct {
	First, Last time.Duration
	pause       time.Duration
}

// Next returns the next pause.
func (b *Backoff) Next() time.Duration {
	b.pause = min(max(2*b.pause, b.First), b.Last)
	return b.pause
}

// Reset begins with the first pause again.
func (b *Backoff) Reset() { b.pause = 0 }
