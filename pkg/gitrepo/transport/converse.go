package transport

import (
	"context"
	"errors"
	"net/url"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// converse runs one whole session, and again with credentials if the server wants some and there are any. The server may be
// silent for patience times the usual limit.
func (r *Remote) converse(ctx context.Context, patience time.Duration, f func(context.Context) error) error {
	for {
		err := r.once(ctx, patience, f)
		var refused *AuthError
		if !errors.As(err, &refused) || refused.Denied {
			if err == nil {
				r.verified(ctx, true)
			}
			return err
		}
		if !r.authenticate(ctx, refused) {
			return err
		}
	}
}

// once runs one whole session and classifies its error. f runs in no goroutine of its own, which would go on after the
// caller has returned: all that it does ends with its context.
func (r *Remote) once(ctx context.Context, patience time.Duration, f func(context.Context) error) error {
	if r.local != "" {
		if _, err := os.Stat(r.local); err != nil {
			return &NotFoundError{URL: r.name, Err: err}
		}
	}
	if r.http != nil {
		r.http.refused = nil
	}
	ctx, end := r.idle.Begin(ctx, patience)
	defer end() // also frees a response body that go-git left open
	return r.classify(ctx, f(ctx))
}

// classify turns what go-git reports into errors of this package. Those that are already pass as they are.
func (r *Remote) classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = unwrap(err)
	var refused *pack.Error
	var slow *idle.TimeoutError // what a deadline left as the cause
	switch {
	case errors.As(context.Cause(ctx), &slow):
		return &UnreachableError{URL: r.name, Err: slow}
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return &UnreachableError{URL: r.name, Err: ctx.Err()}
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return &NotFoundError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return &AuthError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthorizationFailed):
		return &AuthError{URL: r.name, Denied: true, Err: err}
	case errors.As(err, &refused):
		return &pack.Error{URL: r.name, Err: refused.Err, Refs: refused.Refs}
	case isOurs(err):
		return err
	}
	return &UnreachableError{URL: r.name, Err: err}
}

func isOurs(err error) bool {
	return is[*StaleError](err) || is[*RejectedError](err) || is[*UnreachableError](err) || errors.Is(err, errDeclined)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// unwrap removes wrappers that say nothing of use, or that hide their cause from errors.Is.
func unwrap(err error) error {
	for {
		var unexpected *plumbing.UnexpectedError
		var permanent *plumbing.PermanentError
		var request *url.Error
		switch {
		case errors.As(err, &unexpected):
			err = unexpected.Err
		case errors.As(err, &permanent):
			err = permanent.Err
		case errors.As(err, &request): // repeats the URL
			err = request.Err
		default:
			return err
		}
	}
}
