package gitrepo

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
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
	Old  Hash
	New  Hash
}

// Push sends what the remote lacks and moves all refs, or none of them and an error. The server
// itself compares each ref with its Old, at the moment it moves it. A *StaleError means that
// someone else was first; a *RejectedError that the server declined; an *UnreachableError with
// Sent that only a Refresh can tell. On success the view holds what was pushed.
func (s *Stage) Push(ctx context.Context, updates []RefUpdate) error {
	if err := checkUpdates(updates); err != nil {
		return err
	}
	release, err := s.repo.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	p := &push{stage: s, updates: slices.Clone(updates)}
	slices.SortFunc(p.updates, func(a, b RefUpdate) int { return strings.Compare(a.Name, b.Name) })
	if s.repo.rehearsing() {
		return p.rehearse()
	}
	err = s.repo.remote.receivePack(ctx, p.run)
	var lost *UnreachableError
	if errors.As(err, &lost) && p.sent.Load() {
		return &UnreachableError{URL: lost.URL, Sent: true, Err: lost.Err}
	}
	if errors.Is(err, errDeclined) {
		err = p.whyDeclined(ctx)
	}
	if err != nil {
		return err
	}
	p.view()
	s.repo.step(StepViewed)
	return nil
}

type push struct {
	stage   *Stage
	updates []RefUpdate
	packed  []*pack.Object
	sent    atomic.Bool
	report  *packp.ReportStatus
	talk    gitcmd.Heard // what the server and its hooks say to the user
}

var errDeclined = errors.New("the server declined")

func (p *push) run(ctx context.Context, s transport.ReceivePackSession, adv *packp.AdvRefs) error {
	if err := p.verify(adv); err != nil {
		return err
	}
	req, err := p.request(adv.Capabilities)
	if err != nil {
		return err
	}
	p.stage.repo.step(StepVerified)
	if err := p.attach(req); err != nil {
		return err
	}
	p.stage.repo.step(StepPacked)
	p.sent.Store(true)
	report, err := s.ReceivePack(ctx, req)
	if report == nil {
		return errors.Join(err, errNoReport)
	}
	if p.report = report; !accepted(report, p.updates) {
		return errDeclined
	}
	p.stage.repo.step(StepAccepted)
	return nil
}

var errNoReport = errors.New("the server did not report what became of the push")

// verify compares the refs the server shows with what the updates expect. The server compares
// once more, under its lock; this spares it the pack.
func (p *push) verify(adv *packp.AdvRefs) error {
	for _, u := range p.updates {
		if have := adv.References[u.Name]; have != u.Old {
			return &StaleError{URL: p.stage.repo.URL(), Ref: u.Name, Want: u.Old, Have: have}
		}
	}
	return nil
}

// request says what to move, in our own words: go-git's Push would fill in the old values it has
// just read from the server, and so compare the server with itself.
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
			return nil, &RejectedError{URL: p.stage.repo.URL(), Status: "the server does not offer " + c.String() + ", which this push needs"}
		}
		_ = req.Capabilities.Set(c) // a capability without argument cannot fail
	}
	if caps.Supports(capability.Sideband64k) {
		_ = req.Capabilities.Set(capability.Sideband64k)
		req.Progress = &p.talk
	}
	return req, nil
}

// attach adds the pack. The protocol wants one, be it empty, unless every update is a deletion.
func (p *push) attach(req *packp.ReferenceUpdateRequest) error {
	tips := p.tips()
	if len(tips) == 0 {
		return nil
	}
	packed, err := p.stage.reachable(tips)
	if err != nil {
		return &RejectedError{URL: p.stage.repo.URL(), Status: "the push is not complete: " + err.Error()}
	}
	buf, err := pack.Encode(packed)
	if err != nil {
		return &RejectedError{URL: p.stage.repo.URL(), Status: "the push cannot be encoded: " + err.Error()}
	}
	p.packed = packed
	req.Packfile = &tellEnd{Reader: buf, end: func() { p.stage.repo.step(StepSent) }}
	return nil
}

// tips are the commits that refs are moved to.
func (p *push) tips() (out []Hash) {
	for _, u := range p.updates {
		if !u.New.IsZero() {
			out = append(out, u.New)
		}
	}
	return out
}

// tellEnd is closed by go-git once it has handed the last byte on.
type tellEnd struct {
	io.Reader
	end func()
}

func (t *tellEnd) Close() error {
	t.end()
	return nil
}

// view makes what was pushed part of the Repo's view.
func (p *push) view() {
	r := p.stage.repo
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range p.packed {
		r.put(o.ID, o)
	}
	for _, u := range p.updates {
		if u.New.IsZero() {
			delete(r.refs, u.Name)
		} else {
			r.refs[u.Name] = u.New
		}
	}
}
