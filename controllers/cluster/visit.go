package cluster

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// visit is a reason to look at a repository.
type visit struct {
	maxAge   time.Duration // of a look that still serves
	patience time.Duration // with its server; zero means Options.SlowAfter
	poll     bool          // also when a failure is fresh, and without hurry
	except   map[key]bool  // who sees what is new by himself
}

// look makes sure that a repository is open, and was looked at lately enough, and says who is
// concerned by what is new. A look that fails leaves the repository open.
func (r *repositories) look(ctx context.Context, obj *porchconfig.Repository, v visit) (*entry, error) {
	at := key{Namespace: obj.Namespace, Name: obj.Name}
	e := r.entry(at)
	of := identity{string(obj.UID), obj.Generation}
	asking, end := ctx, func() {}
	if !v.poll { // the poller can wait for a slow server
		asking, end = context.WithTimeoutCause(ctx, cmp.Or(v.patience, r.options.SlowAfter), errSlow)
	}
	defer end()
	if err := e.hold(asking, r.options.SlowAfter, v.poll); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	defer e.release()
	if done, err := e.known(of, v); done {
		if err != nil {
			return nil, err
		}
		return e, nil
	}
	what, err := r.enter(asking, e, obj)
	if ctx.Err() != nil || absent(err) { // that says nothing about the repository
		return nil, errors.Join(err, ctx.Err())
	}
	if err != nil && errors.Is(context.Cause(asking), errSlow) {
		err = errSlow
	}
	all := e.settle(of, err, v.poll, r.options)
	r.meters.looked(at, e)
	if err != nil {
		return nil, err
	}
	if all {
		what = change{all: true}
	}
	if !what.none() {
		r.changed(ctx, at, what, v.except)
	}
	return e, nil
}

// errSlow is what a pass reports that does not wait for a server any longer.
var errSlow = errors.New("its Git server takes long to answer; this is tried again once it has answered")

// hold waits until nobody else asks Git. Only the poller waits for a question that takes long already.
func (e *entry) hold(ctx context.Context, slow time.Duration, poll bool) error {
	e.mu.Lock()
	long := !poll && !e.since.IsZero() && time.Since(e.since) > slow
	e.missed = e.missed || long
	e.mu.Unlock()
	if long {
		return errSlow
	}
	select {
	case e.asking <- struct{}{}:
	case <-ctx.Done():
		e.mu.Lock()
		e.missed = true
		e.mu.Unlock()
		return context.Cause(ctx)
	}
	e.mu.Lock()
	e.since = time.Now()
	e.mu.Unlock()
	return nil
}

// release ends the question that hold began.
func (e *entry) release() {
	e.mu.Lock()
	e.since = time.Time{}
	e.mu.Unlock()
	<-e.asking
}

// known reports whether what was last seen serves a visit, and what was wrong then.
func (e *entry) known(of identity, v visit) (done bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reopen {
		e.of, e.seal, e.reopen = identity{}, seal{}, false
	}
	if e.doubts {
		e.looked, e.doubts = time.Time{}, false
	}
	now := time.Now()
	switch {
	case e.of != of:
		return false, nil
	case e.err != nil && !v.poll && now.Before(e.retry):
		e.missed = true
		return true, e.err
	}
	return e.err == nil && now.Sub(e.looked) <= v.maxAge, nil
}

// settle notes how a look went, and when to try again if it did not go well. It reports whether it goes well now
// after others were told that it does not.
func (e *entry) settle(of identity, err error, poll bool, o Options) (all bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.missed = e.missed || !poll
	} else {
		all, e.missed = e.missed, false
	}
	e.note(of, err, o)
	return all
}

func (e *entry) note(of identity, err error, o Options) {
	e.of, e.err = of, err
	if err == nil {
		e.looked, e.tries = time.Now(), 0
		return
	}
	pause := min(o.FirstRetry<<min(e.tries, 20), o.PollInterval)
	e.retry = time.Now().Add(pause)
	e.tries++
}
