package transport

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// sshTarget is where an SSH remote is.
type sshTarget struct {
	user string // empty: the user of this machine
	addr string // host:port
	path string // as the server's shell gets it, before quoting
}

// scpLike is SSH's short form, user@host:path. Without a user there is no @ in it, which could end a password.
var scpLike = lazyregexp.New(`^(?:([^/\\@:]+)@([^/\\@:]+|\[[0-9a-fA-F:.]+\]):(.+)|([^/\\@:]+):([^@]+))$`)

// maybeSCP is what is meant for the short form, be it right or not.
var maybeSCP = lazyregexp.New(`^[^/\\]+@[^/\\]+:`)

// scpEndpoint reads the short form. Its path is relative to the user's home, unless it is absolute.
func scpEndpoint(raw string) (*endpoint, error) {
	m := scpLike.FindStringSubmatch(raw)
	if m == nil {
		return nil, fmt.Errorf("repository %q cannot be parsed: want user@host:path, without a password", redact.URL(raw))
	}
	host := strings.Trim(m[2]+m[4], "[]")
	return sshEndpoint(raw, sshTarget{user: m[1], addr: net.JoinHostPort(host, "22"), path: m[3] + m[5]})
}

// sshURLEndpoint reads ssh://user@host:port/path. Git takes the slash off a path that begins with a
// tilde: /~/x lies in the user's home.
func sshURLEndpoint(raw string, u *url.URL) (*endpoint, error) {
	_, secret := u.User.Password()
	switch {
	case secret:
		return nil, fmt.Errorf("repository %q: a password in an SSH URL is not used: use a key", redact.URL(raw))
	case u.User != nil && u.User.Username() == "" || u.Hostname() == "" || u.Path == "" || u.Path == "/":
		return nil, fmt.Errorf("repository %q: want ssh://user@host/path", redact.URL(raw))
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("repository %q: a Git URL has no query or fragment", redact.URL(raw))
	}
	port := u.Port()
	if port == "" {
		port = "22"
	}
	path := u.Path
	if strings.HasPrefix(path, "/~") {
		path = path[1:]
	}
	return sshEndpoint(raw, sshTarget{user: u.User.Username(), addr: net.JoinHostPort(u.Hostname(), port), path: path})
}

func sshEndpoint(name string, t sshTarget) (*endpoint, error) {
	odd := func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }
	for _, part := range []string{t.user, t.addr, t.path} {
		if strings.HasPrefix(part, "-") || strings.ContainsFunc(part, odd) {
			return nil, fmt.Errorf("repository %q: %q cannot be part of an SSH URL", redact.URL(name), part)
		}
	}
	return &endpoint{name: name, ssh: &t}, nil
}

// withUser is t with a user where it names none.
func (t *sshTarget) withUser(user, name string) (*sshTarget, error) {
	out := *t
	if out.user == "" {
		out.user = user
	}
	if out.user == "" {
		return nil, fmt.Errorf("repository %q names no user, and it is not known who you are: write USER@ before the host", name)
	}
	return &out, nil
}

// command is what the server's shell is asked to run, quoted as Git does: the path is one word,
// whatever is in it.
func (t *sshTarget) command(service string) string {
	quoted := strings.NewReplacer("'", `'\''`, "!", `'\!'`).Replace(t.path)
	return service + " '" + quoted + "'"
}
