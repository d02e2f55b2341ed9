package gitrepo

import (
	"io"
	"net/http"
	"strings"
)

// bounded is an HTTP transport whose answers end when they pass the bounds: go-git reads lists of
// refs and error pages whole, however long they are.
type bounded struct {
	web    http.RoundTripper
	bounds Bounds
}

func (b *bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := b.web.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	over := &BoundsError{What: "bytes in the list of refs", Limit: b.bounds.Refs}
	const errorPage = 1 << 20
	switch {
	case res.StatusCode >= http.StatusMultipleChoices:
		over = &BoundsError{What: "bytes in an error page", Limit: errorPage}
	case strings.HasSuffix(req.URL.Path, "/git-upload-pack"):
		// Twice, since it is wrapped in lines and mixed with talk; the pack in it is held to its bound.
		over = &BoundsError{What: "bytes in an answer", Limit: 2 * b.bounds.Pack}
	}
	res.Body = &boundedBody{ReadCloser: res.Body, left: over.Limit, over: over}
	return res, nil
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
