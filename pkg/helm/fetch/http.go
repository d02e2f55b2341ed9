package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// maxRedirects is how many redirects one request may follow.
const maxRedirects = 5

// answer is a response with its bounded body.
type answer struct {
	data        []byte
	contentType string
}

// get asks for a URL. home is the repository: only its scheme and host get credentials.
func (f *Fetcher) get(ctx context.Context, home, target *url.URL, limit int64, encoding string) (*answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, f.o.Limits.Time, fmt.Errorf("the server did not answer in full within %s", f.o.Limits.Time))
	defer cancel()
	for range maxRedirects + 1 {
		res, err := f.ask(ctx, home, target, encoding)
		if err != nil {
			return nil, shown(ctx, target, err)
		}
		next, err := redirect(target, res)
		if next == nil && err == nil {
			a, err := f.read(res, limit)
			return a, shown(ctx, target, err)
		}
		_ = res.Body.Close()
		if err != nil {
			return nil, shown(ctx, target, err)
		}
		target = next
	}
	return nil, fmt.Errorf("GET %s: more than %d redirects", Redacted(target.String()), maxRedirects)
}

// shown is an error of a request, on one line and without what a URL may hide.
func shown(ctx context.Context, target *url.URL, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		err = cause
	}
	var inURL *url.Error
	if errors.As(err, &inURL) { // its text repeats the URL
		err = inURL.Err
	}
	return fmt.Errorf("GET %s: %w", Redacted(target.String()), err)
}

// ask sends a request, and sends it again with credentials if the server of the repository wants some.
func (f *Fetcher) ask(ctx context.Context, home, target *url.URL, encoding string) (*http.Response, error) {
	res, err := f.send(ctx, target, encoding, "", "")
	if err != nil || res.StatusCode != http.StatusUnauthorized || f.o.Login == nil || !mayLogIn(home, target) {
		return res, err
	}
	user, password, err := f.o.Login(ctx, (&url.URL{Scheme: home.Scheme, Host: home.Host, Path: home.Path}).String())
	if err != nil || user == "" && password == "" {
		return res, err
	}
	_ = res.Body.Close()
	return f.send(ctx, target, encoding, user, password)
}

func (f *Fetcher) send(ctx context.Context, target *url.URL, encoding, user, password string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "waybill")
	if encoding != "" {
		req.Header.Set("Accept-Encoding", encoding)
	}
	if user != "" || password != "" {
		req.SetBasicAuth(user, password)
	}
	return f.o.Transport.RoundTrip(req)
}

// mayLogIn reports whether target gets the credentials for home: it is on the same server, and no machine on the way can read
// them.
func mayLogIn(home, target *url.URL) bool {
	ip := net.ParseIP(target.Hostname())
	private := target.Scheme == "https" || target.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return private && home.Scheme == target.Scheme && strings.EqualFold(home.Host, target.Host)
}

// redirect returns where a response redirects to; nil if it does not.
func redirect(from *url.URL, res *http.Response) (*url.URL, error) {
	location := res.Header.Get("Location")
	if res.StatusCode < 300 || res.StatusCode > 399 || location == "" {
		return nil, nil
	}
	to, err := from.Parse(location)
	switch {
	case err != nil:
		return nil, errors.New("the server redirects to what is no URL")
	case to.Scheme != "http" && to.Scheme != "https" || to.Host == "":
		return nil, fmt.Errorf("the server redirects to %s, which is no web server", Redacted(to.String()))
	case from.Scheme == "https" && to.Scheme != "https":
		return nil, fmt.Errorf("the server redirects from https to %s, without encryption", Redacted(to.String()))
	}
	return to, nil
}

// read reads a body within limit.
func (f *Fetcher) read(res *http.Response, limit int64) (*answer, error) {
	defer res.Body.Close()
	kind := safetext.SingleLine(res.Header.Get("Content-Type"), 60)
	switch {
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return nil, fmt.Errorf("status %d: the server wants other credentials: name its host in .netrc, with login and password",
			res.StatusCode)
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d", res.StatusCode)
	case res.ContentLength > limit:
		return nil, fmt.Errorf("the answer has %d bytes, and at most %d are read", res.ContentLength, limit)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the answer has more than %d bytes", limit)
	}
	return &answer{data, kind}, err
}
