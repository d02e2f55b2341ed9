package transport

import (
	"context"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// Session is a conversation for reading, in which the server has listed its refs.
type Session struct {
	Refs *packp.AdvRefs // nil: the repository is empty

	remote  *Remote
	session transport.UploadPackSession
}

// Read runs f in a Session, which ends with f. What f returns is taken for an error of the conversation: f keeps other errors
// for its caller.
func (r *Remote) Read(ctx context.Context, f func(context.Context, *Session) error) error {
	return r.converse(ctx, 1, func(ctx context.Context) error {
		s, err := r.client.NewUploadPackSession(r.target(), r.auth)
		if err != nil {
			return err
		}
		defer s.Close()
		adv, err := s.AdvertisedReferencesContext(ctx)
		if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
			return err
		}
		return f(ctx, &Session{adv, r, s})
	})
}

// Request says which objects to send.
type Request struct {
	Wants, Haves []plumbing.Hash
	Shallow      bool // the commits in Wants and none before them, where the server can do that
	Wide         bool // bounds for many commits, and not for one
	OnlyCommits  bool // and tags; no trees and no files. Only if CanFilter
}

// CanFilter reports whether the server sends commits without their trees, and the tree of any commit later.
func (s *Session) CanFilter() bool {
	caps := s.Refs
	return caps != nil && caps.Capabilities.Supports(capability.Filter) && caps.Capabilities.Supports(capability.Shallow) &&
		caps.Capabilities.Supports(capability.AllowReachableSHA1InWant)
}

// Fetch asks for objects and reads the pack, within the bounds. A Session has at most one.
func (s *Session) Fetch(ctx context.Context, request Request) (map[plumbing.Hash]*pack.Object, error) {
	caps := s.Refs.Capabilities
	req := packp.NewUploadPackRequestFromCapabilities(caps)
	req.Wants, req.Haves = request.Wants, request.Haves
	if caps.Supports(capability.NoProgress) {
		_ = req.Capabilities.Set(capability.NoProgress) // a capability without argument cannot fail
	}
	bounds := s.remote.bounds.ForHistory()
	if request.Shallow && caps.Supports(capability.Shallow) {
		req.Depth, bounds = packp.DepthCommits(1), s.remote.bounds.WithDefaults()
		_ = req.Capabilities.Set(capability.Shallow) // a capability without argument cannot fail
		req.Shallows = request.Haves                 // of their history nothing is here
	}
	if request.Wide {
		bounds = s.remote.bounds.ForHistory()
	}
	if request.OnlyCommits {
		req.Filter = packp.FilterTreeDepth(0)
		_ = req.Capabilities.Set(capability.Filter)
	}
	res, err := s.session.UploadPack(ctx, req)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	return pack.Read(ctx, s.remote.idle.Pause, demux(req.Capabilities, res), bounds)
}

func demux(caps *capability.List, from io.Reader) io.Reader {
	switch {
	case caps.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, from)
	case caps.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, from)
	}
	return from
}
