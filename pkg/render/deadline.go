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

// timeoutError says that a render took too long. It does not wrap an error of a context: the caller did not end the
// render, and another attempt takes as long.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("the render took longer than the %s allowed for all functions together; "+
		"split the package, or allow more time (fn render --timeout)", e.limit)
}

// deadline is ctx with the timeout of o.
func (o Options) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := cmp.Or(o.Timeout, DefaultTimeout)
	return context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
}

// timeout is err or, where the timeout caused err, the timeout at the function that it stopped.
func timeout(ctx context.Context, err error) error {
	var cause *timeoutError
	if err == nil || !errors.As(context.Cause(ctx), &cause) {
		return err
	}
	var at *Error
	if !errors.As(err, &at) {
		return cause
	}
	return &Error{Package: at.Package, Function: at.Function, Step: at.Step, Err: cause}
}
