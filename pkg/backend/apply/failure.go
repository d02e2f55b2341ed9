package apply

import (
	"context"
	"time"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// handleFailure updates the round and the inventory after a failure. Its error ends the run.
func (r *round) handleFailure(ctx context.Context, t *task, o httpclient.Effect) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f := o.Failure
	if o.Refused {
		r.undoIntent(t)
	}
	if f.Class == httpclient.ClassAuth {
		return &AuthError{f.Message}
	}
	if !f.Retryable() {
		return nil
	}
	r.mayRetry = true
	if f.Class == httpclient.ClassConflict || f.Missing {
		return nil
	}
	if after := f.RetryAfter(r.options.Clock.Now()); after > 0 {
		r.postpone(t, after)
		return nil
	}
	if r.backendFailed = true; f.Status == 0 {
		r.unanswered++
	} else {
		r.serverErrors++
	}
	return nil
}

// postpone makes a task wait as long as the backend asks for, and the other tasks, too. A wait above LongestWait may be about
// this task alone: the others wait LongestWait once, and then continue.
func (r *round) postpone(t *task, d time.Duration) {
	now := r.options.Clock.Now()
	t.notBefore = now.Add(d)
	r.askedToWait++
	switch long := d > r.options.LongestWait; {
	case r.options.HandBack:
		r.stop, r.result.RetryAfter = true, d
	case !long:
		r.pausedUntil = now.Add(d)
	case !r.tookLongPause:
		r.tookLongPause, r.pausedUntil = true, now.Add(r.options.LongestWait)
	}
}

// waitForBackend waits until the backend accepts requests again.
func (r *round) waitForBackend(ctx context.Context) error {
	return r.wait(ctx, r.pausedUntil.Sub(r.options.Clock.Now()))
}

// AuthError reports that the backend rejects the credentials.
type AuthError struct{ Message string }

// Error says what the backend said.
func (e *AuthError) Error() string { return "the backend rejects the credentials: " + e.Message }
