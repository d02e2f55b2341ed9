package sharedcache

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of writing.
const (
	writers      = 8         // requests at a time
	maxQueue     = 4096      // entries that wait
	maxQueueSize = 128 << 20 // their bytes
	putTimeout   = 20 * time.Second
	closeTimeout = 30 * time.Second // for all that waits when the command ends
)

// job is an entry that is to be stored. Its bytes are made when its turn comes.
type job struct {
	name  string
	size  int
	entry func() []byte
}

// writer stores entries in the background. After an error it drops entries for a while.
type writer struct {
	ctx    context.Context
	cancel context.CancelFunc
	put    func(ctx context.Context, name string, entry []byte) error
	fault  func(error)
	meter  *meter

	mu      sync.Mutex // for closing jobs
	closed  bool
	jobs    chan job
	size    atomic.Int64 // bytes of jobs
	dropped atomic.Int64
	start   sync.Once
	working sync.WaitGroup
}

func newWriter(ctx context.Context, put func(context.Context, string, []byte) error, fault func(error)) *writer {
	w := &writer{put: put, fault: fault, meter: newMeter(), jobs: make(chan job, maxQueue)}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// add never waits: an entry for which there is no space is dropped.
func (w *writer) add(j job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.start.Do(func() {
		for range writers {
			w.working.Go(w.work)
		}
	})
	if w.size.Load()+int64(j.size) > maxQueueSize {
		w.dropped.Add(1)
		return
	}
	select {
	case w.jobs <- j:
		w.size.Add(int64(j.size))
	default:
		w.dropped.Add(1)
	}
}

func (w *writer) work() {
	for j := range w.jobs {
		w.size.Add(int64(-j.size))
		if w.ctx.Err() == nil && w.meter.begin() {
			w.store(j)
			w.meter.end(closeTimeout) // writing makes nobody wait
		}
	}
}

func (w *writer) store(j job) {
	entry := j.entry()
	if len(entry) > maxEntry {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, putTimeout)
	defer cancel()
	if err := w.put(ctx, j.name, entry); err != nil && w.ctx.Err() == nil {
		w.meter.pause()
		w.fault(fmt.Errorf("%w; nothing more is stored", err))
	}
}

// close waits until everything is stored, at most closeTimeout; not at all when the command was interrupted.
func (w *writer) close() {
	w.mu.Lock()
	first := !w.closed
	if w.closed = true; first {
		close(w.jobs)
	}
	w.mu.Unlock()
	late := time.AfterFunc(closeTimeout, func() {
		w.fault(fmt.Errorf("it did not store everything within %s", closeTimeout))
		w.cancel()
	})
	w.working.Wait()
	late.Stop()
	w.cancel()
	if n := w.dropped.Load(); n > 0 && first {
		w.fault(fmt.Errorf("%d entries were not stored, because too many waited", n))
	}
}
