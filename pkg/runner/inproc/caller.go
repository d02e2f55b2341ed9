package inproc

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// callRecorder calls functions and records that it did. The time that they take does not count as the caller's,
// since each function has its own limit.
type callRecorder struct {
	fn.Caller
	clock  *clock
	called atomic.Bool
}

// Check implements fn.Caller. Its result depends on more than this program, too.
func (n *callRecorder) Check(f fn.Callee) error {
	n.called.Store(true)
	return n.Caller.Check(f)
}

// Call implements fn.Caller.
func (n *callRecorder) Call(ctx context.Context, f fn.Callee, in *fn.Input) (*fn.Output, error) {
	n.called.Store(true)
	n.clock.pause()
	defer n.clock.resume()
	return n.Caller.Call(ctx, f, in)
}

// clock calls a function when it has run for a time, pauses not counted.
type clock struct {
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time
	paused int // number of pauses that are not resumed
}

func newClock(limit time.Duration, expire func()) *clock {
	return &clock{timer: time.AfterFunc(limit, expire), left: limit, since: time.Now()}
}

func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused++; c.paused == 1 {
		c.timer.Stop()
		c.left -= time.Since(c.since)
	}
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused--; c.paused == 0 {
		c.since = time.Now()
		c.timer.Reset(max(0, c.left))
	}
}

// stop stops the clock. It reports whether its time has expired, even if the function was not called yet.
func (c *clock) stop() (expired bool) {
	c.pause()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left <= 0
}
