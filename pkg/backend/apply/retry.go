package apply

import (
	"context"
	"time"
)

// rounds goes through what is left until nothing is, or nothing helps.
func (r *run) runRounds(ctx context.Context) error {
	began := r.options.Clock.Now()
	for idle := 0; ; {
		round := &round{run: r, began: began, idleRounds: idle}
		if err := round.tryAll(ctx); err != nil || round.stop {
			return err
		}
		if idle++; round.progress {
			idle = 0
		}
		if len(r.remaining) == 0 || !round.mayRetry || idle >= r.options.Rounds {
			if r.result.RetryAfter = r.nextDue(); round.askedToWait >= maxUnanswered {
				r.result.RetryAfter = r.soonestDue()
			}
			return nil
		}
		wait := r.backoff(idle, round)
		if wait > r.options.LongestWait {
			r.result.RetryAfter = wait
			return nil
		}
		if err := r.wait(ctx, wait); err != nil {
			return err
		}
	}
}

// backoff is how long to wait before the next round. What was only waiting for something else does not
// wait for time when something has changed.
func (r *run) backoff(idle int, last *round) time.Duration {
	if last.progress && !last.backendFailed {
		return r.nextDue()
	}
	wait := r.options.FirstWait
	for range idle - 1 {
		wait = min(2*wait, r.options.LongestWait)
	}
	return max(wait, r.nextDue())
}

// untilDue is the time until something that is left may be tried: of what can be, some may want to be
// left alone for a while.
func (r *run) nextDue() (wait time.Duration) {
	now := r.options.Clock.Now()
	for _, i := range r.remaining {
		if !r.ready(i) || r.options.Skip(r.tasks[i].op.Translation) {
			continue
		}
		until := r.tasks[i].notBefore.Sub(now)
		if until <= 0 {
			return 0
		}
		if wait == 0 || until < wait {
			wait = until
		}
	}
	return wait
}

// soonest is the time until the first of those that want to be left alone does not.
func (r *run) soonestDue() (wait time.Duration) {
	now := r.options.Clock.Now()
	for _, i := range r.remaining {
		if until := r.tasks[i].notBefore.Sub(now); until > 0 && (wait == 0 || until < wait) {
			wait = until
		}
	}
	return wait
}

// wait lets time pass, with everything saved.
func (r *run) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return r.options.Clock.Sleep(ctx, d)
}
