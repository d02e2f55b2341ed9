package transport

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
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// process is a running git upload-pack or receive-pack, on this machine or on a host.
type process struct {
	stdin  io.WriteCloser
	stdout io.Reader
	stderr *gitcmd.Output
	wait   func() error // waits for the end of the program; may be called again
	close  func()       // ends the program and frees its resources; may be called again
}

// connect starts a service of Git. Reading, writing and waiting end with ctx.
type connect func(ctx context.Context, service string) (*process, error)

// processClient speaks Git's protocol with a process. The clients of go-git read lists of refs of any length, and lose the
// message of a server that closes the connection before it has read the whole request.
type processClient struct {
	connect connect
	bounds  pack.Bounds
	idle    *idle.Timer
}

func (c *processClient) NewUploadPackSession(*transport.Endpoint, transport.AuthMethod) (transport.UploadPackSession, error) {
	return &processSession{processClient: c, service: transport.UploadPackServiceName}, nil
}

func (c *processClient) NewReceivePackSession(*transport.Endpoint, transport.AuthMethod) (transport.ReceivePackSession, error) {
	return &processSession{processClient: c, service: transport.ReceivePackServiceName}, nil
}

// processSession is one conversation: refs first, then at most one request.
type processSession struct {
	*processClient
	service  string
	*process // nil until connected
}

func (s *processSession) AdvertisedReferences() (*packp.AdvRefs, error) {
	return s.AdvertisedReferencesContext(context.Background())
}

func (s *processSession) AdvertisedReferencesContext(ctx context.Context) (adv *packp.AdvRefs, err error) {
	if s.process, err = s.connect(ctx, s.service); err != nil {
		return nil, err
	}
	s.stdout, s.stdin = &idle.Reader{Reader: s.stdout, Timer: s.idle}, &idle.Writer{WriteCloser: s.stdin, Timer: s.idle}
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

// refused returns the error of a server that sent no refs. Its message may come later.
func (s *processSession) refused() error {
	_ = s.wait() // the program failed; the context ends the wait
	message := s.stderr.String()
	for _, missing := range []string{"does not appear to be a git repository", "not found", "does not exist",
		"could not be found", "No such"} {
		if strings.Contains(message, missing) {
			return transport.ErrRepositoryNotFound
		}
	}
	return errors.New(cmp.Or(message, "the server sent no message"))
}

func (s *processSession) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
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
	sent := s.send(&b)
	answer, err := s.answer(sent)
	if err != nil {
		return nil, err
	}
	res := packp.NewUploadPackResponse(req)
	return res, res.Decode(io.NopCloser(answer))
}

func (s *processSession) ReceivePack(_ context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	pack := req.Packfile
	if pack != nil {
		req.Packfile = io.NopCloser(pack) // closed after it is sent
	}
	var b bytes.Buffer
	if err := req.Encode(&b); err != nil {
		return nil, err
	}
	sent := s.send(&b)
	if sent == nil && pack != nil {
		_ = pack.Close() // reports that it is sent; it has no resources
	}
	answer, err := s.answer(sent)
	if err != nil {
		return nil, err
	}
	from := answer
	if req.Capabilities.Supports(capability.Sideband64k) {
		demuxer := sideband.NewDemuxer(sideband.Sideband64k, answer)
		demuxer.Progress = req.Progress
		from = demuxer
	}
	report := packp.NewReportStatus()
	if err := report.Decode(from); err != nil {
		return nil, err
	}
	s.finish(answer)
	return report, report.Error()
}

// send writes a whole request. An error is not final: a server that refuses a request sends its reason and closes the
// connection without reading the rest.
func (s *processSession) send(request io.WriterTo) error {
	_, err := request.WriteTo(s.stdin)
	return cmp.Or(err, s.stdin.Close())
}

// answer returns the answer to a request. The error of send counts only if there is no answer.
func (s *processSession) answer(sent error) (io.Reader, error) {
	from := bufio.NewReader(atMost(2*s.bounds.Pack, "bytes in an answer", s.stdout)) // twice, as over HTTP
	_, err := from.Peek(1)
	if err == nil {
		return from, nil
	}
	if !errors.Is(err, io.EOF) {
		return nil, cmp.Or(sent, err)
	}
	_ = s.wait() // the server closed the connection; the context ends the wait
	message := cmp.Or(s.stderr.String(), "it printed no error")
	if sent != nil {
		return nil, fmt.Errorf("the server closed the connection: %w: %s", sent, message)
	}
	return nil, fmt.Errorf("the server closed the connection: %s", message)
}

// finish waits for the end of the server after its report: hooks run then, and a server may end them if the connection is
// closed. It ignores errors, because the report is final.
func (s *processSession) finish(from io.Reader) {
	if _, err := io.Copy(io.Discard, from); err == nil {
		_ = s.wait()
	}
}

// Close closes the connection.
func (s *processSession) Close() error {
	if s.process != nil {
		s.close()
	}
	return nil
}

// atMost reads from, up to a bound.
func atMost(limit int64, what string, from io.Reader) io.Reader {
	return &boundedBody{ReadCloser: io.NopCloser(from), left: limit, over: &pack.BoundsError{What: what, Limit: limit}}
}
