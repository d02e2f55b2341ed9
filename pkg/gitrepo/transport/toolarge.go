package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// counted adds what is read to a number.
type counted struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// refusedRequest returns the rejection of a push by a server, or by a proxy before it, that does not accept a request of this size;
// nil for other errors. Such a push did not reach Git.
func (p *push) refusedRequest(err error) error {
	var answer *githttp.Err
	if err == nil || !errors.As(unwrap(err), &answer) || answer.StatusCode() != http.StatusRequestEntityTooLarge {
		return nil
	}
	return &RejectedError{URL: p.remote.URL(), Status: p.tooLarge("requests", "client_max_body_size if it is nginx") + " (HTTP status 413)"}
}

// tooLarge says what to do about a limit on the size of what a server accepts.
func (p *push) tooLarge(what, setting string) string {
	return fmt.Sprintf("the server does not accept %s as large as this push, which has %d bytes; raise its limit, %s, or push less at a time",
		what, p.size.Load(), setting)
}
