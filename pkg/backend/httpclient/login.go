package httpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// login gets a new token after the backend rejected the old one. If several requests need one at the same time,
// the first logs in and the others use its token.
func (c *Client) login(ctx context.Context, old string) (string, *Failure) {
	if token := c.currentToken(); token != old {
		return token, nil
	}
	auth := c.table.Auth().Login
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+auth.Path, nil)
	if err != nil {
		return "", &Failure{Class: ClassPermanent, Message: "the login path cannot be part of a URL"}
	}
	req.SetBasicAuth(c.config.Username, string(c.config.Password))
	if auth.ProjectHeader != "" {
		req.Header.Set(auth.ProjectHeader, c.config.Project)
	}
	token, failed := c.parseToken(c.roundTrip(req, "login"))
	if failed != nil {
		return "", failed
	}
	c.mu.Lock()
	c.token = token
	c.mu.Unlock()
	return token, nil
}

// parseToken is the token in the answer to a login.
func (c *Client) parseToken(a answer) (string, *Failure) {
	if a.failure != nil {
		a.failure.Message = "log in: " + a.failure.Message
		return "", a.failure
	}
	if a.status/100 != 2 {
		f := c.classify(a)
		if f.Class == ClassPermanent {
			f.Class = ClassAuth
		}
		f.Message = "log in: " + f.Message
		return "", f
	}
	refused := &Failure{Class: ClassAuth, Status: a.status,
		Message: fmt.Sprintf("log in: the answer has no token in its field %q", c.table.Auth().Login.TokenField)}
	var fields map[string]any
	if json.Unmarshal(a.body, &fields) != nil {
		return "", refused
	}
	token, ok := table.TextAt(fields, strings.Split(c.table.Auth().Login.TokenField, "."))
	if !ok || token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", refused
	}
	return token, nil
}
