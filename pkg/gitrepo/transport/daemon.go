package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
)

// daemonPort is the default port of git daemon.
const daemonPort = "9418"

// daemonEndpoint is a repository that git daemon serves. The protocol has no login and no encryption.
func daemonEndpoint(raw string, u *url.URL) (*endpoint, error) {
	name := redact.URL(raw)
	switch {
	case u.Hostname() == "" || strings.Trim(u.Path, "/") == "":
		return nil, fmt.Errorf("repository %q: want git://HOST/PATH", name)
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("repository %q: a git URL has no user, query or fragment", name)
	case strings.ContainsAny(u.Path, "\x00\n"):
		return nil, fmt.Errorf("repository %q: a path has no zero byte and no line break", name)
	}
	port := u.Port()
	if port == "" {
		port = daemonPort
	}
	ep := &transport.Endpoint{Protocol: "git", Host: u.Host, Path: u.Path}
	return &endpoint{name: name, daemon: net.JoinHostPort(u.Hostname(), port), ep: ep}, nil
}

// daemonAddress is the normal form of its URL.
func daemonAddress(e *endpoint) string {
	name, port, err := net.SplitHostPort(e.daemon)
	if err != nil {
		name = e.daemon
	}
	if port == daemonPort {
		port = ""
	}
	return "git://" + host(name, port) + repositoryPath(e.ep.Path)
}

var errNoPush = errors.New("waybill only reads from git://, which knows no users: give the repository an https or ssh URL to push to")

// connectDaemon asks a git daemon for a service.
func connectDaemon(e *endpoint) connect {
	return func(ctx context.Context, service string) (*process, error) {
		if service != transport.UploadPackServiceName {
			return nil, errNoPush
		}
		conn, err := (&net.Dialer{Timeout: connectTime}).DialContext(ctx, "tcp", e.daemon)
		if err != nil {
			return nil, err
		}
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		end := func() { stop(); conn.Close() }
		_ = conn.SetWriteDeadline(time.Now().Add(connectTime))
		if err := pktline.NewEncoder(conn).EncodeString(service + " " + e.ep.Path + "\x00host=" + e.ep.Host + "\x00"); err != nil {
			end()
			return nil, err
		}
		_ = conn.SetWriteDeadline(time.Time{})
		return &process{stdin: halfClosed{conn}, stdout: conn, stderr: &gitcmd.Output{}, wait: func() error { return nil }, close: end}, nil
	}
}

// halfClosed is a connection of which Close ends only what is sent.
type halfClosed struct{ net.Conn }

func (c halfClosed) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return c.Conn.Close()
}
