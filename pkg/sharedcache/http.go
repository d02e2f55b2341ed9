package sharedcache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// httpStore reads entries by GET and stores them by PUT, each at its own path.
type httpStore struct {
	base   *url.URL
	client *http.Client
	// authorize adds credentials to a request with this body.
	authorize func(r *http.Request, body []byte) error
	// explain adds what to do about an answer.
	explain func(status int, body []byte) string
}

// Times after which a server counts as broken.
const (
	dialTimeout   = 2 * time.Second
	answerTimeout = 3 * time.Second // from the request to the header of the answer
)

func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout,
			ResponseHeaderTimeout: answerTimeout, MaxIdleConnsPerHost: 32, MaxConnsPerHost: 32, IdleConnTimeout: time.Minute,
			ForceAttemptHTTP2: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (s *httpStore) get(ctx context.Context, name string) ([]byte, error) {
	status, body, err := s.do(ctx, http.MethodGet, name, nil, maxEntry)
	switch {
	case err != nil:
		return nil, err
	case (status == http.StatusNotFound || status == http.StatusGone) && !bytes.Contains(body, noBucket):
		return nil, errAbsent
	case status != http.StatusOK:
		return nil, s.refusal(http.MethodGet, status, body)
	}
	return body, nil
}

// noBucket is how S3 says that there is no place for any entry.
var noBucket = []byte("<Code>NoSuchBucket</Code>")

// maxAnswer bounds what is read of an answer that is no entry.
const maxAnswer = 16 << 10

func (s *httpStore) put(ctx context.Context, name string, entry []byte) error {
	status, body, err := s.do(ctx, http.MethodPut, name, entry, maxAnswer)
	switch {
	case err != nil:
		return err
	case status != http.StatusOK && status != http.StatusCreated && status != http.StatusNoContent:
		return s.refusal(http.MethodPut, status, body)
	}
	return nil
}

// do returns the answer to a request. A body above the limit is an error.
func (s *httpStore) do(ctx context.Context, method, name string, entry []byte, limit int64) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.base.JoinPath(name).String(), bytes.NewReader(entry))
	if err != nil {
		return 0, nil, plain(err)
	}
	if method == http.MethodPut {
		r.Header.Set("Content-Type", "application/octet-stream")
	}
	if err := s.authorize(r, entry); err != nil {
		return 0, nil, err
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, nil, plain(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		limit = maxAnswer
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	switch {
	case answer.StatusCode != http.StatusOK: // its body is only for the explanation
		return answer.StatusCode, body[:min(len(body), maxAnswer)], nil
	case err != nil:
		return 0, nil, plain(err)
	case int64(len(body)) > limit:
		return 0, nil, fmt.Errorf("%s: the answer is larger than %d bytes", method, limit)
	}
	return answer.StatusCode, body, nil
}

func (s *httpStore) refusal(method string, status int, body []byte) error {
	advice := ""
	switch {
	case status >= 300 && status < 400:
		advice = "; redirects are not followed: name the final URL"
	case method == http.MethodPut && slices.Contains(mayNotWrite, status):
		advice = "; without --cache-write nothing is stored"
	}
	return fmt.Errorf("%s: %d %s%s%s", method, status, http.StatusText(status), s.explain(status, body), advice)
}

// mayNotWrite are the answers to who may only read.
var mayNotWrite = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed}

// plain is err without the URL, which the name of the cache says already.
func plain(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", failed.Op, failed.Err)
	}
	return err
}
