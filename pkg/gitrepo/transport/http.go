package transport

import (
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// boundedHTTP is an HTTP transport whose responses end where they exceed the bounds: go-git reads lists of
// refs and error pages whole, however long they are.
type boundedHTTP struct {
	next    http.RoundTripper
	bounds  pack.Bounds
	idle    *idle.Timer
	refused *url.URL // of the last request that the server wants other credentials for
}

func (b *boundedHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(b.watched(req))
	if err != nil {
		return nil, err
	}
	b.idle.Moved(1)
	if res.StatusCode == http.StatusUnauthorized {
		b.refused = req.URL
	}
	over := &pack.BoundsError{What: "bytes in the list of refs", Limit: b.bounds.Refs}
	const errorPage = 1 << 20
	switch {
	case res.StatusCode >= http.StatusMultipleChoices:
		over = &pack.BoundsError{What: "bytes in an error page", Limit: errorPage}
	case strings.HasSuffix(req.URL.Path, "/git-upload-pack"):
		// Twice, since it is wrapped in lines and mixed with messages; the pack in it is held to its bound.
		over = &pack.BoundsError{What: "bytes in an answer", Limit: 2 * b.bounds.Pack}
	}
	body := readCloser{&idle.Reader{Reader: res.Body, Timer: b.idle}, res.Body}
	res.Body = &boundedBody{ReadCloser: body, left: over.Limit, over: over}
	return res, nil
}

// watched is req with a body that reports its bytes to the timer.
func (b *boundedHTTP) watched(req *http.Request) *http.Request {
	if req.Body == nil || req.Body == http.NoBody {
		return req
	}
	out := *req
	out.Body = readCloser{&idle.Reader{Reader: req.Body, Timer: b.idle}, req.Body}
	return &out
}

type readCloser struct {
	io.Reader
	io.Closer
}

type boundedBody struct {
	io.ReadCloser
	left int64
	over error
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, b.over
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
