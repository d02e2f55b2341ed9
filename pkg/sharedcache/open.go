package sharedcache

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
)

// TokenVariable names the environment variable with the bearer token for an HTTP cache.
const TokenVariable = "WAYBILL_CACHE_TOKEN" // #nosec G101 -- a name, no token

// openStore parses url. name is the URL for messages.
func openStore(text string, getenv func(string) string) (s store, name string, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, "", errors.New("the URL cannot be parsed") // its text may hold a password
	case u.User != nil:
		return nil, "", errors.New("the URL has a user or password: credentials come from the environment or from files")
	}
	name = u.Scheme + "://" + u.Host + u.Path
	switch {
	case u.Host == "" || u.Fragment != "":
		err = errURL
	case u.Scheme == "https" || u.Scheme == "http":
		s, err = openHTTP(u, getenv)
	case u.Scheme == "s3":
		s, err = openS3(u, getenv)
	case u.Scheme == "oci":
		s, err = openOCI(u)
	default:
		err = errURL
	}
	if err != nil {
		err = fmt.Errorf("URL %q: %w", name, err) // without the query
	}
	return s, name, err
}

var errURL = errors.New("want https://HOST/PATH, http://HOST/PATH, s3://BUCKET/PREFIX or oci://HOST/REPOSITORY")

// openHTTP makes a store of an HTTP server. It gets the token of the environment, or else what .netrc has for the host.
func openHTTP(u *url.URL, getenv func(string) string) (store, error) {
	if u.RawQuery != "" {
		return nil, errors.New("want no query: the key of an entry is put behind the path")
	}
	token := getenv(TokenVariable)
	known, err := auth.Netrc(u.String(), getenv)
	if err != nil && token == "" {
		return nil, err
	}
	if (token != "" || known.Password != "") && u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return nil, errors.New("credentials are only sent over https")
	}
	return &httpStore{
		base: u, client: newClient(),
		authorize: func(r *http.Request, _ []byte) error {
			switch {
			case token != "":
				r.Header.Set("Authorization", "Bearer "+token)
			case known.Password != "":
				r.SetBasicAuth(known.Username, known.Password)
			}
			return nil
		},
		explain: func(status int, _ []byte) string {
			if status == http.StatusUnauthorized || status == http.StatusForbidden {
				return "; set " + TokenVariable + ", or write a password into .netrc"
			}
			return ""
		},
	}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
