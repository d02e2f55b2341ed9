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

// converse runs one whole session, and a second one with credentials if the server wants some and there are any. silence is a
// factor of the usual limit on silence.
func (r *Remote) converse(ctx context.Context, silence time.Duration, f func(context.Context) error) error {
	for {
		err := r.once(ctx, silence, f)
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

// once runs one whole session and classifies its error. f runs in the goroutine of the caller, so that it never continues after
// the return; its calls end with its context.
func (r *Remote) once(ctx context.Context, silence time.Duration, f func(context.Context) error) error {
	if r.local != "" {
		if _, err := os.Stat(r.local); err != nil {
			return &NotFoundError{URL: r.name, Err: err}
		}
	}
	if r.http != nil {
		r.http.refused = nil
	}
	ctx, end := r.idle.Begin(ctx, silence)
	defer end() // also frees a response body left open by go-git
	return r.classify(ctx, f(ctx))
}

// classify converts errors of go-git to those of this package, which pass unchanged.
func (r *Remote) classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = unwrap(err)
	var refused *pack.Error
	var slow *idle.TimeoutError // the cause of an exceeded limit
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
	case isClassified(err):
		return err
	}
	return &UnreachableError{URL: r.name, Err: err}
}

func isClassified(err error) bool {
	return is[*StaleError](err) || is[*RejectedError](err) || is[*UnreachableError](err) || errors.Is(err, errDeclined)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// unwrap removes wrappers without useful text and those that hide their cause from errors.Is.
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
