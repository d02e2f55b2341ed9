package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// DefaultTimeout is how long a render may take when its Options do not say.
const DefaultTimeout = 30 * time.Minute

// timeoutError is why a render ended that took too long. It is none of the errors of contexts: who
// started the render did not end it, and doing it again takes as long.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("the render took longer than the %s that it may take, all functions together; "+
		"split the package, or allow more time (fn render --timeout)", e.limit)
}

// deadline is ctx with the end that o sets.
func (o Options) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := cmp.Or(o.Timeout, DefaultTimeout)
	return context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
}

// outOfTime is err, or the timeout where that is behind it, at the function that it stopped.
func outOfTime(ctx context.Context, err error) error {
	var late *timeoutError
	if err == nil || !errors.As(context.Cause(ctx), &late) {
		return err
	}
	var at *Error
	if !errors.As(err, &at) {
		return late
	}
	return &Error{Package: at.Package, Function: at.Function, Step: at.Step, Err: late}
}
