package gitrepo

import (
	"context"
	"errors"
	"net/url"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
)

// converse runs one whole session, and anew with credentials if the server wants some and somebody knows them. times is
// how many times the usual silence may last.
func (r *remote) converse(ctx context.Context, times time.Duration, f func(context.Context) error) error {
	for {
		err := r.once(ctx, times, f)
		var wants *AuthError
		if !errors.As(err, &wants) || wants.Denied {
			if letIn(err) {
				r.judge(ctx, true)
			}
			return err
		}
		if !r.getIn(ctx, wants) {
			return err
		}
	}
}

// once runs one whole session, and gives what went wrong its type. All that f does ends with its context: f runs in no
// goroutine of its own, which would go on after its caller had left.
func (r *remote) once(ctx context.Context, times time.Duration, f func(context.Context) error) error {
	if r.local != "" {
		if _, err := os.Stat(r.local); err != nil {
			return &NotFoundError{URL: r.name, Err: err}
		}
	}
	if r.web != nil {
		r.web.refused = nil
	}
	ctx, end := r.silence.Begin(ctx, times)
	defer end() // also frees a response body that go-git left open
	return r.classify(ctx, f(ctx))
}

// classify turns what go-git reports into this room's errors. Errors of this room pass.
func (r *remote) classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	var refused *PackError
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
		return &PackError{URL: r.name, Err: refused.Err, Refs: refused.Refs}
	case isOurs(err):
		return err
	}
	return &UnreachableError{URL: r.name, Err: err}
}

func isOurs(err error) bool {
	return is[*StaleError](err) || is[*RejectedError](err) || is[*UnreachableError](err) || is[*RefError](err) ||
		is[*RefNameError](err) || is[*GoneError](err) || errors.Is(err, errDeclined)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// bare takes off wrappers that say nothing of use, or that hide their cause from errors.Is.
func bare(err error) error {
	for {
		var unexpected *plumbing.UnexpectedError
		var permanent *plumbing.PermanentError
		var web *url.Error
		switch {
		case errors.As(err, &unexpected):
			err = unexpected.Err
		case errors.As(err, &permanent):
			err = permanent.Err
		case errors.As(err, &web): // repeats the URL
			err = web.Err
		default:
			return err
		}
	}
}
