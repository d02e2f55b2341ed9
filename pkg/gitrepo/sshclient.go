package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"golang.org/x/crypto/ssh"
)

// sshClient is Git's protocol over SSH. It stands beside go-git's own, which reads lists of refs of any
// length, connects without heed to a context, and takes settings from the user's ssh_config.
type sshClient struct {
	target *sshTarget
	ssh    SSH
	bounds Bounds
}

func (c *sshClient) NewUploadPackSession(*transport.Endpoint, transport.AuthMethod) (transport.UploadPackSession, error) {
	return &sshSession{sshClient: c, service: transport.UploadPackServiceName}, nil
}

func (c *sshClient) NewReceivePackSession(*transport.Endpoint, transport.AuthMethod) (transport.ReceivePackSession, error) {
	return &sshSession{sshClient: c, service: transport.ReceivePackServiceName}, nil
}

// sshSession is one conversation: refs first, then at most one request.
type sshSession struct {
	*sshClient
	service string
	close   []func()
	stdin   io.WriteCloser
	stdout  io.Reader
	stderr  heard
	wait    func() error
}

const connectTime = 30 * time.Second

func (s *sshSession) connect(ctx context.Context) error {
	config, free, err := s.ssh.config(s.target)
	if err != nil {
		return err
	}
	s.close = append(s.close, free)
	conn, err := (&net.Dialer{Timeout: connectTime}).DialContext(ctx, "tcp", s.target.addr)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	s.close = append(s.close, func() { stop(); conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(connectTime)) // for the handshake; a connection has deadlines
	shaken, channels, requests, err := ssh.NewClientConn(conn, s.target.addr, config)
	if err != nil {
		return handshakeError(err)
	}
	_ = conn.SetDeadline(time.Time{})
	return s.start(ssh.NewClient(shaken, channels, requests))
}

// handshakeError tells what the library only says in words.
func handshakeError(err error) error {
	var host *hostKeyError
	switch {
	case errors.As(err, &host):
		return host
	case strings.Contains(err.Error(), "unable to authenticate"):
		return transport.ErrAuthenticationRequired
	}
	return err
}

func (s *sshSession) start(client *ssh.Client) error {
	session, err := client.NewSession()
	if err != nil {
		return err
	}
	session.Stderr, s.wait = &s.stderr, session.Wait
	if s.stdin, err = session.StdinPipe(); err != nil {
		return err
	}
	if s.stdout, err = session.StdoutPipe(); err != nil {
		return err
	}
	return session.Start(s.target.command(s.service))
}

func (s *sshSession) AdvertisedReferences() (*packp.AdvRefs, error) {
	return s.AdvertisedReferencesContext(context.Background())
}

func (s *sshSession) AdvertisedReferencesContext(ctx context.Context) (*packp.AdvRefs, error) {
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	adv := packp.NewAdvRefs()
	refs := &boundedBody{ReadCloser: io.NopCloser(s.stdout), left: s.bounds.Refs, over: &BoundsError{What: "bytes in the list of refs", Limit: s.bounds.Refs}}
	err := adv.Decode(refs)
	switch {
	case errors.Is(err, packp.ErrEmptyAdvRefs), err == nil && adv.IsEmpty():
		err = nil
		if s.service == transport.UploadPackServiceName {
			return nil, transport.ErrEmptyRemoteRepository
		}
	case errors.Is(err, packp.ErrEmptyInput):
		return nil, s.refused()
	}
	transport.FilterUnsupportedCapabilities(adv.Capabilities)
	return adv, err
}

// refused is why the server said nothing on the protocol's side. What it says aside may come later.
func (s *sshSession) refused() error {
	_ = s.wait() // the program failed; the context ends the wait with the connection
	said := s.stderr.String()
	for _, missing := range []string{"does not appear to be a git repository", "not found", "does not exist", "could not be found", "No such"} {
		if strings.Contains(said, missing) {
			return transport.ErrRepositoryNotFound
		}
	}
	if said == "" {
		said = "the server said nothing"
	}
	return errors.New(said)
}

func (s *sshSession) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	err := req.UploadRequest.Encode(s.stdin)
	if err == nil {
		err = req.UploadHaves.Encode(s.stdin, true)
	}
	if err == nil {
		err = pktline.NewEncoder(s.stdin).EncodeString("done\n")
	}
	if err == nil {
		err = s.stdin.Close()
	}
	if err != nil {
		return nil, err
	}
	over := &BoundsError{What: "bytes in an answer", Limit: 2 * s.bounds.Pack} // as over HTTP
	res := packp.NewUploadPackResponse(req)
	return res, res.Decode(&boundedBody{ReadCloser: io.NopCloser(s.stdout), left: over.Limit, over: over})
}

func (s *sshSession) ReceivePack(_ context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	if err := req.Encode(s.stdin); err != nil {
		return nil, err
	}
	if err := s.stdin.Close(); err != nil {
		return nil, err
	}
	from := s.stdout
	if req.Capabilities.Supports(capability.Sideband64k) {
		mixed := sideband.NewDemuxer(sideband.Sideband64k, from)
		mixed.Progress = req.Progress
		from = mixed
	}
	report := packp.NewReportStatus()
	if err := report.Decode(from); err != nil {
		return nil, err
	}
	return report, report.Error()
}

// Close hangs up.
func (s *sshSession) Close() error {
	for _, f := range s.close {
		f()
	}
	s.close = nil
	return nil
}

// heard keeps the beginning of what a server says aside.
type heard struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Write(p[:min(len(p), max(0, mostMessage-h.buf.Len()))])
	return len(p), nil
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return oneLine(h.buf.String())
}
