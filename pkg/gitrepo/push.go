package gitrepo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// RefUpdate moves a ref from an old to a new value.
type RefUpdate = transport.RefUpdate

// Push sends the missing objects and moves all refs, or none of them and returns an error. The server
// itself compares each ref with its Old, at the moment it moves it. A *StaleError means that
// another client moved a ref first; a *RejectedError that the server declined; an *UnreachableError with
// Sent that only a Refresh can tell. On success the view holds what was pushed.
func (s *Stage) Push(ctx context.Context, updates []RefUpdate) error {
	if err := checkUpdates(updates); err != nil {
		return err
	}
	release, err := s.repo.lockRemote(ctx)
	if err != nil {
		return err
	}
	defer release()
	p := &push{stage: s, updates: slices.Clone(updates)}
	slices.SortFunc(p.updates, func(a, b RefUpdate) int { return strings.Compare(a.Name, b.Name) })
	if s.repo.rehearsing() {
		return p.rehearse()
	}
	if err := s.repo.remote.Push(ctx, p.updates, p.pack); err != nil {
		return err
	}
	s.repo.step(StepAccepted)
	p.apply()
	s.repo.step(StepViewed)
	return nil
}

type push struct {
	stage   *Stage
	updates []RefUpdate
	items   []pack.Item // what the remote lacks
}

// pack encodes what the remote lacks. The protocol wants a pack, be it empty, unless every update is a deletion.
func (p *push) pack(to pack.Accepts) (io.ReadCloser, error) {
	repo := p.stage.repo
	repo.step(StepVerified)
	if !p.hasTips() {
		repo.step(StepPacked)
		return nil, nil
	}
	if err := p.collect(); err != nil {
		return nil, err
	}
	buf, err := pack.Encode(p.items, to)
	if err != nil {
		return nil, &RejectedError{URL: repo.URL(), Status: "the push cannot be encoded: " + err.Error()}
	}
	repo.step(StepPacked)
	return &notifyClose{Reader: buf, closed: func() { repo.step(StepSent) }}, nil
}

func (p *push) collect() (err error) {
	if p.items, err = p.stage.reachable(p.updates); err != nil {
		return &RejectedError{URL: p.stage.repo.URL(), Status: "the push is not complete: " + err.Error()}
	}
	return nil
}

// hasTips reports whether a ref gets a commit.
func (p *push) hasTips() bool {
	return slices.ContainsFunc(p.updates, func(u RefUpdate) bool { return !u.New.IsZero() })
}

// notifyClose is closed by go-git when it has handed the last byte to the connection.
type notifyClose struct {
	io.Reader
	closed func()
}

func (n *notifyClose) Close() error {
	n.closed()
	return nil
}

// apply adds the push to the view of the Repo.
func (p *push) apply() {
	r := p.stage.repo
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, it := range p.items {
		if r.store[it.ID] == nil { // else it was pushed before
			r.put(r.compact(it))
		}
	}
	for _, u := range p.updates {
		if u.New.IsZero() {
			delete(r.refs, u.Name)
		} else {
			r.refs[u.Name] = u.New
		}
	}
}

// compact returns a pushed object as the view holds it: what is nearly an earlier version, or an object before it, as a delta of that. A
// delta of what is not in the view would keep that in memory, too.
func (r *Repo) compact(it pack.Item) *pack.Object {
	o := it.Object
	if base := o.Base(); base != nil && r.store[base.ID] != base {
		o = o.Unpacked()
	}
	for _, like := range []*pack.Object{it.Before, it.Like} {
		if like == nil {
			continue
		}
		if small := o.CompactLike(r.store[like.ID]); small != o {
			return small
		}
	}
	return o
}

// refName is what Git accepts, and a little less: letters, digits and the marks that Porch and
// users use, in segments that neither begin nor end with a dot.
var refName = lazyregexp.New(`^refs/(heads|tags)(/[A-Za-z0-9_+=#%!,-]([A-Za-z0-9_.+=#%!,@-]*[A-Za-z0-9_+=#%!,@-])?)+$`)

func checkUpdates(updates []RefUpdate) error {
	seen := map[string]bool{}
	for _, u := range updates {
		switch {
		case !refName.MatchString(u.Name) || strings.Contains(u.Name, "..") || strings.Contains(u.Name+"/", ".lock/"):
			return fmt.Errorf("%q cannot be the name of a branch or tag", u.Name)
		case seen[u.Name]:
			return fmt.Errorf("push moves %s twice", u.Name)
		case u.Old == u.New:
			return fmt.Errorf("push leaves %s where it is", u.Name)
		}
		seen[u.Name] = true
	}
	if len(updates) == 0 {
		return fmt.Errorf("push moves no ref")
	}
	return nil
}

// Rehearse makes every later push a dry run: it changes the view only, and checks
// against the view what the server would check against its refs. It cannot be undone, so that a
// dry run cannot end as a real one.
func (r *Repo) Rehearse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rehearsal = true
}

func (r *Repo) rehearsing() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.rehearsal
}

// rehearse is a push to the view.
func (p *push) rehearse() error {
	r := p.stage.repo
	for _, u := range p.updates {
		if have, _ := r.Ref(u.Name); have.Target != u.Old {
			return &StaleError{URL: r.URL(), Ref: u.Name, Want: u.Old, Have: have.Target}
		}
	}
	if err := p.collect(); err != nil {
		return err
	}
	p.apply()
	return nil
}
