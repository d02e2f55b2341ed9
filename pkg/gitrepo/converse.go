package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// converse runs one whole session, and once more with credentials if the server wants some and somebody knows them.
func (r *remote) converse(ctx context.Context, f func(context.Context) error) error {
	err := r.once(ctx, f)
	var wants *AuthError
	if r.ask == nil || !errors.As(err, &wants) || wants.Denied {
		return err
	}
	creds, failed := r.ask(ctx, r.askedFor())
	r.ask = nil
	switch {
	case failed != nil:
		return fmt.Errorf("%w; nor could anybody be asked: %s", err, gitcmd.OneLine(failed.Error()))
	case creds == Credentials{}:
		return err
	}
	r.auth = authMethod(creds)
	return r.once(ctx, f)
}

// once runs one whole session, and gives what went wrong its type. All that f does ends with its context: f runs in no
// goroutine of its own, which would go on after its caller had left.
func (r *remote) once(ctx context.Context, f func(context.Context) error) error {
	if r.local != "" {
		if _, err := os.Stat(r.local); err != nil {
			return &NotFoundError{URL: r.name, Err: err}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // also frees a response body that go-git left open
	return r.classify(ctx, f(ctx))
}

// classify turns what go-git reports into this room's errors. Errors of this room pass.
func (r *remote) classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	var pack *PackError
	switch {
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return &UnreachableError{URL: r.name, Err: ctx.Err()}
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return &NotFoundError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return &AuthError{URL: r.name, Err: err}
	case errors.Is(err, transport.ErrAuthorizationFailed):
		return &AuthError{URL: r.name, Denied: true, Err: err}
	case errors.As(err, &pack):
		return &PackError{URL: r.name, Err: pack.Err}
	case isOurs(err):
		return err
	}
	return &UnreachableError{URL: r.name, Err: err}
}

func isOurs(err error) bool {
	switch err.(type) {
	case *StaleError, *RejectedError, *UnreachableError, *RefError, *RefNameError, *GoneError:
		return true
	}
	return err == errDeclined
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
