package combinedstatus

import (
	"context"
	"time"
)

const (
	// turn is about how long evaluating keeps others from the world.
	turn = 5 * time.Millisecond
	// longest is how long a pass may evaluate before it writes what it has, and how long changed Bindings
	// may wait to count.
	longest = time.Second
)

// evaluate has the engine evaluate what changed, in turns, until nothing is left or the time is over, and
// reports whether something is left. Between turns the world is told what others have to tell.
func (p *passes) evaluate(ctx context.Context, until time.Time) (left bool) {
	arranged := time.Time{}
	for {
		if time.Since(arranged) >= longest {
			p.arrange()
			arranged = time.Now()
		}
		began := time.Now()
		left = p.turn(ctx)
		now := time.Now()
		if !left || ctx.Err() != nil || !now.Before(until) {
			return left
		}
		if p.waiting.Load() > 0 {
			time.Sleep(now.Sub(began)) // as much time is theirs
		}
	}
}

func (p *passes) arrange() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.engine.Arrange()
}

// turn evaluates for a moment.
func (p *passes) turn(ctx context.Context) (left bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left, _ = p.engine.Evaluate(ctx, p.costs.watch(time.Now().Add(turn))) // an error is that of ctx
	return left
}
