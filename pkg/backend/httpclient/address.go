package httpclient

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Address is the normalised URL of the backend: scheme and host in lower case, without the default port.
func (c *Client) Address() string {
	at := url.URL{Scheme: strings.ToLower(c.base.Scheme), Host: strings.ToLower(c.base.Host), Path: c.base.Path, RawPath: c.base.RawPath}
	if usual := map[string]string{"http": "80", "https": "443"}[at.Scheme]; at.Port() == usual {
		at.Host = strings.TrimSuffix(at.Host, ":"+usual)
	}
	return at.String()
}

// checkRedirect follows a redirect only to the same host and with the same method: another host must not get the credentials,
// and a POST that becomes a GET would look like a creation.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// redirectRefusal says why checkRedirect did not follow a redirect; empty if the answer is not a redirect.
func redirectRefusal(res *http.Response) string {
	if res.StatusCode/100 != 3 {
		return ""
	}
	to, err := res.Location()
	switch from := res.Request.URL; {
	case err != nil:
		return "the redirect has no target"
	case to.Scheme != from.Scheme || to.Host != from.Host:
		return "a redirect to another host is not followed"
	case res.StatusCode == http.StatusTemporaryRedirect || res.StatusCode == http.StatusPermanentRedirect ||
		res.Request.Method == http.MethodGet:
		return fmt.Sprintf("more than %d redirects are not followed", maxRedirects)
	}
	return "a redirect to another method is not followed"
}
