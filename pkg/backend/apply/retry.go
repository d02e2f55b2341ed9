package apply

import (
	"context"
	"time"
)

// runRounds repeats rounds until nothing remains, or until another round cannot help.
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

// backoff is how long to wait before the next round. After progress, tasks that waited for other tasks are tried
// at once.
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

// nextDue is the time until the first task that is ready may be tried; 0 when one may be tried now.
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

// soonestDue is the time until the first postponed task may be tried, whether it is ready or not.
func (r *run) soonestDue() (wait time.Duration) {
	now := r.options.Clock.Now()
	for _, i := range r.remaining {
		if until := r.tasks[i].notBefore.Sub(now); until > 0 && (wait == 0 || until < wait) {
			wait = until
		}
	}
	return wait
}

// wait saves the inventory and sleeps.
func (r *run) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return r.options.Clock.Sleep(ctx, d)
}
