package apply

import (
	"context"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"time"
)

// failed draws conclusions from a failure for the rest of the round, and for the inventory.
func (r *round) failed(ctx context.Context, t *task, o httpclient.Effect) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f := o.Failure
	if o.Refused {
		r.forget(t)
	}
	if f.Class == httpclient.ClassAuth {
		return &AuthError{f.Message}
	}
	if !f.Retryable() {
		return nil
	}
	r.again = true
	if f.Class == httpclient.ClassConflict || f.Missing {
		return nil
	}
	if after := f.RetryAfter(r.options.Clock.Now()); after > 0 {
		r.leaveAlone(t, after)
		return nil
	}
	if r.troubled = true; f.Status == 0 {
		r.silent++
	} else {
		r.sick++
	}
	return nil
}

// leaveAlone heeds a backend that wants no requests for a while. If that is longer than can be waited, it
// may be about this one alone: after one pause the others are tried without another.
func (r *round) leaveAlone(t *task, d time.Duration) {
	now := r.options.Clock.Now()
	t.until = now.Add(d)
	r.asked++
	switch long := d > r.options.LongestWait; {
	case r.options.HandBack:
		r.over, r.result.RetryAfter = true, d
	case !long:
		r.quiet = now.Add(d)
	case !r.paused:
		r.paused, r.quiet = true, now.Add(r.options.LongestWait)
	}
}

// pause waits, before something is sent, until the backend wants requests again.
func (r *round) pause(ctx context.Context) error {
	return r.wait(ctx, r.quiet.Sub(r.options.Clock.Now()))
}

// AuthError is the error of a backend that does not know who asks.
type AuthError struct{ Message string }

// Error says what the backend said.
func (e *AuthError) Error() string { return "the backend does not know who asks: " + e.Message }
