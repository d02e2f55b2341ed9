package httpclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Limits on answers.
const (
	maxAnswer    = 1 << 20
	maxRedirects = 5
)

// Client talks to one backend. It may be used concurrently.
type Client struct {
	table  *table.Table
	base   *url.URL
	config Config
	http   *http.Client

	mu    sync.Mutex
	token string // of auth Login; empty before the first login
}

// New returns a client for a backend. It sends nothing yet.
func New(table *table.Table, config Config) (*Client, error) {
	base, err := config.base()
	if err == nil {
		err = config.check(table)
	}
	if err != nil {
		return nil, err
	}
	transport, err := config.transport()
	if err != nil {
		return nil, err
	}
	if config.Timeout <= 0 {
		config.Timeout = defaultTimeout
	}
	return &Client{
		table: table, base: base, config: config,
		http: &http.Client{Transport: transport, Timeout: config.Timeout, CheckRedirect: checkRedirect},
	}, nil
}

// Table is the table of the backend.
func (c *Client) Table() *table.Table { return c.table }

// request is one HTTP request to the backend.
type request struct {
	method, path, mediaType string
	body                    string // empty: none
	accept                  bool   // the media type is that of the answer, not of the request
}

// answer is the answer to a request, or the reason why there is none.
type answer struct {
	status     int // 0: no answer
	body       []byte
	truncated  bool   // the answer was longer
	redirect   string // why a redirect is not followed
	retryAfter string // Retry-After
	failure    *Failure
}

// do sends a request; if the token has expired it logs in and sends the request again.
func (c *Client) do(ctx context.Context, r request) answer {
	token := c.currentToken()
	a := c.send(ctx, r, token)
	if a.status != http.StatusUnauthorized || c.table.Auth().Type != waybill.AuthLogin {
		return a
	}
	token, failed := c.login(ctx, token)
	if failed != nil {
		return answer{failure: failed}
	}
	return c.send(ctx, r, token)
}

func (c *Client) currentToken() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token
}

func (c *Client) send(ctx context.Context, r request, token string) answer {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base.String()+r.path, body)
	if err != nil {
		return answer{failure: &Failure{Class: ClassPermanent, Message: "the path cannot be part of a URL"}}
	}
	switch {
	case r.accept:
		req.Header.Set("Accept", r.mediaType)
	case r.body != "":
		req.Header.Set("Content-Type", r.mediaType)
	}
	c.authenticate(req, token)
	return c.roundTrip(req, r.mediaType)
}

// authenticate adds the credentials to a request.
func (c *Client) authenticate(req *http.Request, token string) {
	switch auth := c.table.Auth(); {
	case auth.Type == waybill.AuthBasic:
		req.SetBasicAuth(c.config.Username, string(c.config.Password))
	case auth.Type == waybill.AuthBearer:
		req.Header.Set("Authorization", "Bearer "+string(c.config.Token))
	case auth.Type == waybill.AuthLogin && token != "":
		req.Header.Set(auth.Login.TokenHeader, token)
	}
}

// roundTrip sends a request and reads at most maxAnswer bytes of the answer.
func (c *Client) roundTrip(req *http.Request, mediaType string) (a answer) {
	if c.config.Observe != nil {
		done := c.config.Observe(req.Method, mediaType)
		defer func() { done(a.status) }()
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{failure: c.noAnswer(err)}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return answer{failure: c.noAnswer(err)}
	}
	return answer{
		status: res.StatusCode, body: body[:min(len(body), maxAnswer)], truncated: len(body) > maxAnswer,
		redirect: redirectRefusal(res), retryAfter: res.Header.Get("Retry-After"),
	}
}

// noAnswer is the failure of a request without an answer; whether the backend executed it is not known.
func (c *Client) noAnswer(err error) *Failure {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which other messages have
	}
	return &Failure{Class: ClassRetry, Message: c.clean(err.Error())}
}

// clean is a text of unknown origin on one line and without credentials.
func (c *Client) clean(text string) string {
	return safetext.SingleLine(c.redact(text), table.MaxMessage)
}

func (c *Client) redact(text string) string {
	return Redact(text, c.config.Username, string(c.config.Password), string(c.config.Token), c.currentToken())
}
