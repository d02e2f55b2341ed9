package apply

import (
	"context"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"time"
)

// failed draws conclusions from a failure for the rest of the round, and for the inventory.
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

// leaveAlone heeds a backend that wants no requests for a while. If that is longer than can be waited, it
// may be about this one alone: after one pause the others are tried without another.
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

// pause waits, before something is sent, until the backend wants requests again.
func (r *round) waitForBackend(ctx context.Context) error {
	return r.wait(ctx, r.pausedUntil.Sub(r.options.Clock.Now()))
}

// AuthError is the error of a backend that does not know who asks.
type AuthError struct{ Message string }

// Error says what the backend said.
func (e *AuthError) Error() string { return "the backend does not know who asks: " + e.Message }
