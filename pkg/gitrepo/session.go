package gitrepo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
)

// pipe is a running git upload-pack or receive-pack, here or on a host.
type pipe struct {
	stdin  io.WriteCloser
	stdout io.Reader
	stderr *gitcmd.Heard
	wait   func() error // until the program has ended; may be called again
	close  func()       // ends the program, and frees what it holds; may be called again
}

// connect starts a service of Git's. When ctx ends, reading, writing and waiting do.
type connect func(ctx context.Context, service string) (*pipe, error)

// pipeClient is Git's protocol with a program at the other end. It stands in for go-git's own clients: these read
// lists of refs of any length, and lose what a server says when it hangs up before a request is written to its end.
type pipeClient struct {
	connect connect
	bounds  Bounds
	silence *idle.Timer
}

func (c *pipeClient) NewUploadPackSession(*transport.Endpoint, transport.AuthMethod) (transport.UploadPackSession, error) {
	return &pipeSession{pipeClient: c, service: transport.UploadPackServiceName}, nil
}

func (c *pipeClient) NewReceivePackSession(*transport.Endpoint, transport.AuthMethod) (transport.ReceivePackSession, error) {
	return &pipeSession{pipeClient: c, service: transport.ReceivePackServiceName}, nil
}

// pipeSession is one conversation: refs first, then at most one request.
type pipeSession struct {
	*pipeClient
	service string
	*pipe   // nil until connected
}

func (s *pipeSession) AdvertisedReferences() (*packp.AdvRefs, error) {
	return s.AdvertisedReferencesContext(context.Background())
}

func (s *pipeSession) AdvertisedReferencesContext(ctx context.Context) (adv *packp.AdvRefs, err error) {
	if s.pipe, err = s.connect(ctx, s.service); err != nil {
		return nil, err
	}
	s.stdout, s.stdin = &idle.Reader{Reader: s.stdout, Timer: s.silence}, &idle.Writer{WriteCloser: s.stdin, Timer: s.silence}
	adv = packp.NewAdvRefs()
	err = adv.Decode(atMost(s.bounds.Refs, "bytes in the list of refs", s.stdout))
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
func (s *pipeSession) refused() error {
	_ = s.wait() // the program failed; the context ends the wait
	said := s.stderr.String()
	for _, missing := range []string{"does not appear to be a git repository", "not found", "does not exist",
		"could not be found", "No such"} {
		if strings.Contains(said, missing) {
			return transport.ErrRepositoryNotFound
		}
	}
	return errors.New(cmp.Or(said, "the server said nothing"))
}

func (s *pipeSession) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := req.UploadRequest.Encode(&b)
	if err == nil {
		err = req.UploadHaves.Encode(&b, true)
	}
	if err == nil {
		err = pktline.NewEncoder(&b).EncodeString("done\n")
	}
	if err != nil {
		return nil, err
	}
	writing := s.send(&b)
	answer, err := s.answer(writing)
	if err != nil {
		return nil, err
	}
	res := packp.NewUploadPackResponse(req)
	return res, res.Decode(io.NopCloser(answer))
}

func (s *pipeSession) ReceivePack(_ context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	pack := req.Packfile
	if pack != nil {
		req.Packfile = io.NopCloser(pack) // it is closed when it is sent
	}
	var b bytes.Buffer
	if err := req.Encode(&b); err != nil {
		return nil, err
	}
	writing := s.send(&b)
	if writing == nil && pack != nil {
		_ = pack.Close() // tells that it is sent; there is nothing to free
	}
	answer, err := s.answer(writing)
	if err != nil {
		return nil, err
	}
	from := answer
	if req.Capabilities.Supports(capability.Sideband64k) {
		mixed := sideband.NewDemuxer(sideband.Sideband64k, answer)
		mixed.Progress = req.Progress
		from = mixed
	}
	report := packp.NewReportStatus()
	if err := report.Decode(from); err != nil {
		return nil, err
	}
	s.finish(answer)
	return report, report.Error()
}

// send writes a whole request. That it could not be written is no answer yet: a server that refuses a request
// says so, and hangs up without reading on.
func (s *pipeSession) send(request io.WriterTo) error {
	_, err := request.WriteTo(s.stdin)
	return cmp.Or(err, s.stdin.Close())
}

// answer is what the server says to a request, of which it must say something: then that counts, and not what went
// wrong with writing.
func (s *pipeSession) answer(writing error) (io.Reader, error) {
	from := bufio.NewReader(atMost(2*s.bounds.Pack, "bytes in an answer", s.stdout)) // twice, as over HTTP
	_, err := from.Peek(1)
	if err == nil {
		return from, nil
	}
	if !errors.Is(err, io.EOF) {
		return nil, cmp.Or(writing, err)
	}
	_ = s.wait() // it hung up; the context ends the wait
	said := cmp.Or(s.stderr.String(), "it said nothing")
	if writing != nil {
		return nil, fmt.Errorf("the server hung up: %w: %s", writing, said)
	}
	return nil, fmt.Errorf("the server hung up: %s", said)
}

// finish lets the server end by itself after its report: hooks run then, and a server that is hung up on may cut
// them off. Whatever happens here, the report stands.
func (s *pipeSession) finish(from io.Reader) {
	if _, err := io.Copy(io.Discard, from); err == nil {
		_ = s.wait()
	}
}

// Close hangs up.
func (s *pipeSession) Close() error {
	if s.pipe != nil {
		s.close()
	}
	return nil
}

// atMost is what from says, up to a bound.
func atMost(limit int64, what string, from io.Reader) io.Reader {
	return &boundedBody{ReadCloser: io.NopCloser(from), left: limit, over: &BoundsError{What: what, Limit: limit}}
}
