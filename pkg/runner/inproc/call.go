package inproc

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// noting calls functions, remembers that it did, and has the time that they take not count as the caller's:
// each of them has a limit of its own.
type noting struct {
	fn.Caller
	clock *clock
	asked atomic.Bool
}

// Check implements fn.Caller. What may be called is no part of this program either.
func (n *noting) Check(f fn.Callee) error {
	n.asked.Store(true)
	return n.Caller.Check(f)
}

// Call implements fn.Caller.
func (n *noting) Call(ctx context.Context, f fn.Callee, in *fn.Input) (*fn.Output, error) {
	n.asked.Store(true)
	n.clock.pause()
	defer n.clock.resume()
	return n.Caller.Call(ctx, f, in)
}

// clock strikes once when it has run for a time.
type clock struct {
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time
	paused int // how often, and not resumed
}

func newClock(limit time.Duration, strike func()) *clock {
	return &clock{timer: time.AfterFunc(limit, strike), left: limit, since: time.Now()}
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

// stop ends the clock for good. It is late when it ran for its time, even where nobody was there yet to strike.
func (c *clock) stop() (late bool) {
	c.pause()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left <= 0
}
