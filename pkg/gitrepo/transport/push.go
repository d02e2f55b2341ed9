package transport

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// RefUpdate moves the ref Name, in full, from Old to New. A zero Old means that the ref must not
// exist, a zero New deletes it.
type RefUpdate struct {
	Name string
	Old  plumbing.Hash
	New  plumbing.Hash
}

// Push moves all refs of Updates, or none and an error. Pack is called once the server has shown its refs and they have the
// values that are expected; it returns the objects that the server lacks, in a form that it accepts, or nil when all updates are
// deletions. Pack is closed when its last byte is handed to the connection.
// A *StaleError means that another client moved a ref first; a *RejectedError that the server declined; an
// *UnreachableError with Sent that only another look at the refs can tell.
func (r *Remote) Push(ctx context.Context, updates []RefUpdate, pack func(pack.Accepts) (io.ReadCloser, error)) error {
	p := &push{remote: r, updates: updates, pack: pack}
	err := r.receivePack(ctx, p.run)
	var lost *UnreachableError
	if errors.As(err, &lost) && p.sent.Load() {
		return &UnreachableError{URL: lost.URL, Sent: true, Err: lost.Err}
	}
	if errors.Is(err, errDeclined) {
		return p.whyDeclined(ctx)
	}
	return err
}

type push struct {
	remote   *Remote
	updates  []RefUpdate
	pack     func(pack.Accepts) (io.ReadCloser, error)
	sent     atomic.Bool
	size     atomic.Int64 // bytes of the pack that were read to be sent
	report   *packp.ReportStatus
	messages gitcmd.Output // what the server and its hooks say to the user
}

var (
	errDeclined = errors.New("the server declined")
	errNoReport = errors.New("the server did not report what became of the push")
)

func (p *push) run(ctx context.Context, s transport.ReceivePackSession, adv *packp.AdvRefs) error {
	if err := p.checkRefs(adv); err != nil {
		return err
	}
	req, err := p.request(adv.Capabilities)
	if err != nil {
		return err
	}
	if req.Packfile, err = p.pack(accepts(adv.Capabilities)); err != nil {
		return err
	}
	if req.Packfile != nil {
		req.Packfile = &counted{req.Packfile, &p.size}
	}
	p.sent.Store(true)
	report, err := s.ReceivePack(ctx, req)
	if refused := p.refusedRequest(err); refused != nil {
		return refused
	}
	if report == nil {
		return errors.Join(err, errNoReport)
	}
	if p.report = report; !accepted(report, p.updates) {
		return errDeclined
	}
	return nil
}

// accepts returns what a server says about packs. All take deltas, and thin packs unless they say otherwise.
func accepts(caps *capability.List) pack.Accepts {
	return pack.Accepts{Thin: !caps.Supports("no-thin"), Offsets: caps.Supports(capability.OFSDelta)}
}

// checkRefs compares the refs the server shows with what the updates expect. The server compares
// once more, under its lock; this spares it the pack.
func (p *push) checkRefs(adv *packp.AdvRefs) error {
	for _, u := range p.updates {
		if have := adv.References[u.Name]; have != u.Old {
			return &StaleError{URL: p.remote.URL(), Ref: u.Name, Want: u.Old, Have: have}
		}
	}
	return nil
}

// request says what to move. go-git's Push would fill in the old values that it has just read from the server, and so
// compare the server with itself.
func (p *push) request(caps *capability.List) (*packp.ReferenceUpdateRequest, error) {
	req := packp.NewReferenceUpdateRequestFromCapabilities(caps)
	need := []capability.Capability{capability.ReportStatus}
	if len(p.updates) > 1 {
		need = append(need, capability.Atomic)
	}
	for _, u := range p.updates {
		req.Commands = append(req.Commands, &packp.Command{
			Name: plumbing.ReferenceName(u.Name), Old: u.Old, New: u.New})
		if u.New.IsZero() {
			need = append(need, capability.DeleteRefs)
		}
	}
	for _, c := range need {
		if !caps.Supports(c) {
			return nil, &RejectedError{URL: p.remote.URL(), Status: "the server does not offer " + c.String() + ", which this push needs"}
		}
		_ = req.Capabilities.Set(c) // a capability without argument cannot fail
	}
	if caps.Supports(capability.Sideband64k) {
		_ = req.Capabilities.Set(capability.Sideband64k)
		req.Progress = &p.messages
	}
	return req, nil
}

// receivePack runs f in a session for writing, with the refs the server shows.
func (r *Remote) receivePack(ctx context.Context, f func(context.Context, transport.ReceivePackSession, *packp.AdvRefs) error) error {
	const hooks = 10 // they may take long without output
	return r.converse(ctx, hooks, func(ctx context.Context) error {
		s, err := r.client.NewReceivePackSession(r.target(), r.auth)
		if err != nil {
			return err
		}
		defer s.Close()
		adv, err := s.AdvertisedReferencesContext(ctx)
		if err != nil {
			return err
		}
		return f(ctx, s, adv)
	})
}
