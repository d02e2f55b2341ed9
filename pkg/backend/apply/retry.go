package apply

import (
	"context"
	"slices"
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

// backoff is how long to wait before the next round. After progress, tasks that waited for other tasks are tried at once.
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

// nextDue is the time until the first task that is ready may be tried; 0 when one may be tried now, or none is ready.
func (r *run) nextDue() time.Duration {
	return r.shortestWait(func(i int, _ time.Duration) bool { return r.ready(i) && !r.options.Skip(r.tasks[i].op.Translation) })
}

// soonestDue is the time until the first postponed task may be tried, whether it is ready or not; 0 when there is none.
func (r *run) soonestDue() time.Duration {
	return r.shortestWait(func(_ int, wait time.Duration) bool { return wait > 0 })
}

// shortestWait is the shortest time until a task that counts may be tried.
func (r *run) shortestWait(counts func(i int, wait time.Duration) bool) time.Duration {
	now, waits := r.options.Clock.Now(), []time.Duration{}
	for _, i := range r.remaining {
		if wait := max(0, r.tasks[i].notBefore.Sub(now)); counts(i, wait) {
			waits = append(waits, wait)
		}
	}
	if len(waits) == 0 {
		return 0
	}
	return slices.Min(waits)
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
