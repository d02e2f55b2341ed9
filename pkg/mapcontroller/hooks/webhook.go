package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// defaultTimeout limits a request with its answer.
const defaultTimeout = 10 * time.Second

// webhook calls one webhook.
type webhook struct {
	config        *waybill.Webhook
	name          string // of the hook
	address       string // complete; it may hold secrets
	server        string // scheme and host of the address
	authorization string
	timeout       time.Duration
	client        *http.Client
	cache         *cache // nil: no answer is kept
	now           func() time.Time
	observe       func(hook string, status int, took time.Duration)
}

// reply is the answer of a server.
type reply struct {
	status      int
	body        []byte // with status 200
	etag, after string
}

// call sends a request to the webhook.
func (w *webhook) call(ctx context.Context, r *mapcontroller.Request) (*mapcontroller.Response, error) {
	body, err := r.JSON()
	if err != nil {
		return nil, err
	}
	key := cacheKey{r.ParentKey, r.MapKey}
	before := w.cache.get(key, w.now())
	got, err := w.roundTrip(ctx, body, before)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", w.server, w.reason(err))
	case got.status == http.StatusOK:
		w.cache.put(key, got, w.now())
		return &mapcontroller.Response{Body: got.body}, nil
	case got.status == http.StatusTooManyRequests:
		after := retryAfter(got.after, w.now())
		return &mapcontroller.Response{RetryAfter: &after}, nil
	case before != nil && (got.status == http.StatusNotModified || got.status == http.StatusPreconditionFailed):
		return &mapcontroller.Response{Body: before.body}, nil
	}
	return nil, fmt.Errorf("%s: %s", w.server, statusText(got.status))
}

// roundTrip sends a request and reads the whole answer, within the timeout.
func (w *webhook) roundTrip(ctx context.Context, body []byte, before *cacheEntry) (got reply, err error) {
	if w.observe != nil {
		began := w.now()
		defer func() { w.observe(w.name, got.status, w.now().Sub(began)) }()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, w.timeout, errLate)
	defer cancel()
	if got, err = w.send(ctx, body, before); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // many errors mean that the time is over
	}
	return got, err
}

func (w *webhook) send(ctx context.Context, body []byte, before *cacheEntry) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address, bytes.NewReader(body))
	if err != nil {
		return reply{}, errNoURL
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "waybill")
	if w.authorization != "" {
		req.Header.Set("Authorization", w.authorization)
	}
	if before != nil {
		req.Header.Set("If-None-Match", before.etag)
	}
	res, err := w.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	return read(res)
}

// read reads the parts of an answer that count.
func read(res *http.Response) (reply, error) {
	got := reply{status: res.StatusCode, etag: res.Header.Get("ETag"), after: res.Header.Get("Retry-After")}
	if got.status != http.StatusOK {
		return got, nil
	}
	if res.ContentLength > mapcontroller.MaxAnswerBytes {
		return reply{}, errLong
	}
	var err error
	got.body, err = io.ReadAll(io.LimitReader(res.Body, mapcontroller.MaxAnswerBytes+1))
	switch {
	case err != nil:
		return reply{}, err
	case len(got.body) > mapcontroller.MaxAnswerBytes:
		return reply{}, errLong
	}
	return got, nil
}

var (
	errLate  = errors.New("no answer in time")
	errNoURL = errors.New("its address is not a URL")
	errLong  = fmt.Errorf("its answer is longer than %d bytes", mapcontroller.MaxAnswerBytes)
)
