package transport

import (
	"net"
	"net/url"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
)

// Address is the normal form of a repository's URL: without user, password,
// default port, slashes at the end and ".git"; the host in lower case; https for http, as servers redirect
// one to the other. A path of this machine is absolute; its symbolic links are not resolved. What is no URL of a repository
// is returned as it is, without secrets. Two addresses that differ may still be one repository: a server has many names.
func Address(raw string) string {
	e, err := parseURL(raw, auth.Credentials{})
	switch {
	case err != nil:
		return redact.URL(raw)
	case e.local != "":
		return "file://" + e.local
	case e.ssh != nil:
		return e.ssh.address()
	case e.daemon != "":
		return daemonAddress(e)
	}
	u, err := url.Parse(e.name)
	if err != nil { // parseURL read it already
		return e.name
	}
	port := u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	return "https://" + host(u.Hostname(), port) + repositoryPath(u.Path)
}

// address keeps the user, in whose home a path may be.
func (t *sshTarget) address() string {
	name, port, err := net.SplitHostPort(t.addr)
	if err != nil {
		name = t.addr
	}
	if port == "22" {
		port = ""
	}
	user := t.user
	if user != "" {
		user += "@"
	}
	return "ssh://" + user + host(name, port) + repositoryPath(t.path)
}

func host(name, port string) string {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if port != "" {
		return net.JoinHostPort(name, port)
	}
	if strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}

// repositoryPath is a path on a server without its optional parts.
func repositoryPath(p string) string {
	return strings.TrimSuffix(path.Clean("/"+p), ".git")
}

// SameRepository reports whether two URLs, as objects and locks write them, are those of one repository. It compares paths
// as texts, since what they are relative to is not known, except for the ".git" that a lock adds.
func SameRepository(a, b string) bool {
	text := func(raw string) string { return strings.TrimSuffix(strings.TrimRight(raw, "/"), ".git") }
	return text(a) == text(b) || !IsLocal(a) && !IsLocal(b) && Address(a) == Address(b)
}
