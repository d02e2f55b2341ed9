package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxAnswer limits an answer that is no blob: a manifest, a list of tags, a token. Readers of blobs know how much they want.
const maxAnswer = 8 << 20

// limited is a body that is an error when it is longer than it may be.
type limited struct {
	io.ReadCloser
	left int64
}

// Read reads what is left.
func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("the registry's answer is longer than %d bytes", maxAnswer)
	}
	return n, err
}

// maxSilence limits how long a registry may send nothing in the middle of an answer.
const maxSilence = time.Minute

// errSilent is why an answer is not waited for.
var errSilent = errors.New("the registry stopped in the middle of its answer, and sent nothing more: try again later")

// watched sends a request. Reading the answer's body is an error once nothing comes for as long as silence.
func watched(next http.RoundTripper, r *http.Request, silence time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	res, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	res.Body = &watchedBody{ReadCloser: res.Body, ctx: ctx, cancel: cancel, silence: silence}
	return res, nil
}

// watchedBody ends its request when a Read takes too long.
type watchedBody struct {
	io.ReadCloser
	ctx     context.Context //nolint:containedctx // it is that of the request whose body this is
	cancel  context.CancelCauseFunc
	silence time.Duration
}

// Read reads on.
func (b *watchedBody) Read(p []byte) (int, error) {
	timer := time.AfterFunc(b.silence, func() { b.cancel(errSilent) })
	n, err := b.ReadCloser.Read(p)
	timer.Stop()
	if err != nil && errors.Is(context.Cause(b.ctx), errSilent) {
		err = errSilent
	}
	return n, err
}

// Close ends the request.
func (b *watchedBody) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}
