package transport

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
)

// endpoint is where a repository is, with its credentials, and its name for messages, without secrets.
type endpoint struct {
	name  string
	local string // directory, for a repository of this machine
	ssh   *sshTarget
	// daemon is the host and port of a server of git://, ep.Path the path there.
	daemon string
	ep     *transport.Endpoint
	creds  auth.Credentials
	inURL  bool // the credentials came with the URL
}

// hasLogin reports whether there are credentials, and not a name alone.
func (e *endpoint) hasLogin() bool { return e.creds.Password != "" || e.creds.BearerToken != "" }

// whichLogin says which credentials were refused. A caller that gave them apart from the URL knows.
func (e *endpoint) whichLogin() string {
	if e.inURL {
		return "the user and password in the URL were refused"
	}
	return ""
}

// parseURL accepts a path, file://, http://, https://, ssh://, git:// and SSH's short form. Credentials in the URL are taken out of
// it; those given apart win.
func parseURL(raw string, creds auth.Credentials) (*endpoint, error) {
	if raw == "" {
		return nil, errors.New("repository URL is empty")
	}
	if !strings.Contains(raw, "://") {
		if redact.IsMistyped(raw) {
			return nil, fmt.Errorf("repository %q: a URL is written SCHEME://HOST/PATH, with a colon and two slashes; "+
				"a folder of such a name with ./ before it", redact.URL(raw))
		}
		if maybeSCP.MatchString(raw) || scpLike.MatchString(raw) {
			return scpEndpoint(raw)
		}
		return localEndpoint(raw)
	}
	u, err := url.Parse(raw)
	if err != nil { // its text would repeat the secret
		return nil, fmt.Errorf("repository URL %q cannot be parsed", redact.URL(raw))
	}
	switch u.Scheme {
	case "file":
		return localEndpoint(u.Path)
	case "http", "https":
		return webEndpoint(raw, u, creds)
	case "ssh":
		return sshURLEndpoint(raw, u)
	case "git":
		return daemonEndpoint(raw, u)
	}
	return nil, fmt.Errorf("repository %q: scheme %q is not supported: want a path, file, http, https or ssh; or git, to read",
		redact.URL(raw), u.Scheme)
}

func localEndpoint(dir string) (*endpoint, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("repository %q: %w", redact.URL(dir), err)
	}
	return &endpoint{name: redact.URL(dir), local: abs, ep: &transport.Endpoint{Protocol: "file", Path: abs}}, nil
}

// askedFor is the URL of a web server's repository with the user's name, if one was given.
func (e *endpoint) askedFor() string {
	u, err := url.Parse(e.name)
	if err != nil || e.creds.Username == "" {
		return e.name
	}
	u.User = url.User(e.creds.Username)
	return u.String()
}

func webEndpoint(raw string, u *url.URL, creds auth.Credentials) (*endpoint, error) {
	switch {
	case u.Host == "":
		return nil, fmt.Errorf("repository %q names no host", redact.URL(raw))
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("repository %q: a Git URL has no query or fragment; a password is written with %%3F and %%23", redact.URL(raw))
	case u.User != nil && strings.Contains(u.EscapedPath(), "@"):
		return nil, fmt.Errorf("repository %q: an @ after the host may be the end of a password: write it as %%40", redact.URL(raw))
	}
	inURL := u.User != nil && creds == (auth.Credentials{})
	if inURL {
		creds.Username = u.User.Username()
		creds.Password, _ = u.User.Password()
	}
	u.User = nil
	ep, err := transport.NewEndpoint(u.String())
	if err != nil {
		return nil, fmt.Errorf("repository %q cannot be parsed", u)
	}
	return &endpoint{name: u.String(), ep: ep, creds: creds, inURL: inURL}, nil
}

// IsLocal reports whether raw names a repository of this machine.
func IsLocal(raw string) bool { return LocalDir(raw) != "" }

// LocalDir returns the folder of a repository of this machine; "" for other repositories.
func LocalDir(raw string) string {
	e, err := parseURL(raw, auth.Credentials{})
	if err != nil {
		return ""
	}
	return e.local
}
