package transport

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"golang.org/x/crypto/ssh"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// connectSSH starts a service on a host. go-git's own client connects without regard to a context, and takes settings from
// the user's ssh_config.
func connectSSH(t *sshTarget, config auth.SSH) connect {
	return func(ctx context.Context, service string) (*process, error) {
		client, hangUp, err := dialSSH(ctx, t, config)
		if err != nil {
			return nil, err
		}
		p, err := startSSH(client, t.command(service))
		if err != nil {
			hangUp()
			return nil, err
		}
		p.close = hangUp
		return p, nil
	}
}

const connectTime = 30 * time.Second

// dialSSH connects to a host. The connection ends with ctx, or by hangUp, which may be called again.
func dialSSH(ctx context.Context, t *sshTarget, how auth.SSH) (client *ssh.Client, hangUp func(), err error) {
	config, free, err := how.ClientConfig(ctx, t.user, t.addr)
	if err != nil {
		return nil, nil, err
	}
	conn, err := (&net.Dialer{Timeout: connectTime}).DialContext(ctx, "tcp", t.addr)
	if err != nil {
		free()
		return nil, nil, err
	}
	end := func() { conn.Close(); free() }
	stop := context.AfterFunc(ctx, end)
	hangUp = func() { stop(); end() }
	_ = conn.SetDeadline(time.Now().Add(connectTime)) // for the handshake; a connection has deadlines
	shaken, channels, requests, err := ssh.NewClientConn(conn, t.addr, config)
	if err != nil {
		hangUp()
		return nil, nil, handshakeError(err)
	}
	_ = conn.SetDeadline(time.Time{})
	return ssh.NewClient(shaken, channels, requests), hangUp, nil
}

// handshakeError gives a type to what the library reports as text.
func handshakeError(err error) error {
	var host *auth.HostKeyError
	switch {
	case errors.As(err, &host):
		return host
	case strings.Contains(err.Error(), "unable to authenticate"):
		return transport.ErrAuthenticationRequired
	}
	return err
}

func startSSH(client *ssh.Client, command string) (*process, error) {
	session, err := client.NewSession()
	if err != nil {
		return nil, err
	}
	p := &process{stderr: &gitcmd.Output{}, wait: sync.OnceValue(session.Wait)}
	session.Stderr = p.stderr
	if p.stdin, err = session.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = session.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, session.Start(command)
}
