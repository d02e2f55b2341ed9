package repository

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// entry is the repository of a Repository object, or why it cannot be read.
type entry struct {
	fetching chan struct{} // holds a token during a fetch: others wait for its outcome

	mu        sync.Mutex // guards the fields below
	since     time.Time  // when the present fetch began; zero without one
	of        objectVersion
	digest    digest
	git       *gitrepo.Repo     // nil for a registry, and where a Porch serves the revisions
	served    *porchstore.Store // of that Porch
	repo      *snapshot.Repository
	through   map[string]bool // names of Repositories through which its revisions were made, as the last poll found
	fetched   time.Time       // when the last fetch succeeded
	err       error           // of the last fetch
	failures  int             // since the last success
	retryAt   time.Time       // before that only a poll tries again
	errorSeen bool            // an object failed with err, and waits for a success
	stale     bool            // the next refresh fetches
	reopen    bool            // the next refresh opens the repository again
}

// objectVersion is a Repository object with one of its specs.
type objectVersion struct {
	uid        string
	generation int64
}

// update calls change, which may read and write e.
func (e *entry) update(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

// isOpen reports whether the repository is open, and whether it was opened with the same digest.
func (e *entry) isOpen(with digest) (open, same bool) {
	e.update(func() { open, same = e.repo != nil, e.repo != nil && e.digest == with })
	return open, same
}

func (e *entry) view(at key) snapshot.View {
	return snapshot.View{Namespace: at.Namespace, Name: at.Name, Repository: e.repo, Through: e.through}
}

// errSlow is the error of a batch that does not wait any longer for a server.
var errSlow = errors.New("its Git server or registry takes long to answer; this is tried again once it has answered")

// errOpening is errSlow of a repository that this process has not opened yet.
var errOpening = fmt.Errorf("%w", errSlow)

// IsOpening reports whether err says that a repository is still being opened: nothing is known about what changed there.
func IsOpening(err error) bool { return errors.Is(err, errOpening) }

// lock waits for the present fetch to end. Only a poll waits for a fetch that has taken long already.
func (e *entry) lock(ctx context.Context, slowAfter time.Duration, poll bool) error {
	slow := false
	e.update(func() {
		slow = !poll && !e.since.IsZero() && time.Since(e.since) > slowAfter
		e.errorSeen = e.errorSeen || slow
	})
	if slow {
		return errSlow
	}
	select {
	case e.fetching <- struct{}{}:
	case <-ctx.Done():
		e.update(func() { e.errorSeen = true })
		return context.Cause(ctx)
	}
	e.update(func() { e.since = time.Now() })
	return nil
}

// unlock lets the next one fetch.
func (e *entry) unlock() {
	e.update(func() { e.since = time.Time{} })
	<-e.fetching
}

// cached reports whether the last fetch serves a refresh, and how that fetch failed.
func (e *entry) cached(of objectVersion, o refreshOptions) (ok bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reopen {
		e.of, e.digest, e.reopen = objectVersion{}, digest{}, false
	}
	if e.stale {
		e.fetched, e.stale = time.Time{}, false
		if e.served != nil {
			e.served.Expire()
		}
	}
	now := time.Now()
	fresh := now.Sub(e.fetched) <= o.maxAge
	switch {
	case e.served != nil:
		fresh = !e.served.Outdated()
	case e.git == nil && e.repo != nil && !o.poll: // a registry takes many requests to read: polls do that
		fresh = !e.fetched.IsZero()
	}
	switch {
	case e.of != of:
		return false, nil
	case e.err != nil && !o.poll && now.Before(e.retryAt):
		e.errorSeen = true
		return true, e.err
	}
	return e.err == nil && fresh, nil
}

// record notes how a fetch went, and when to try again after a failure. recovered reports a success after objects
// failed with an error.
func (e *entry) record(of objectVersion, err error, poll bool, o Options) (recovered bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of, e.err = of, err
	if err == nil {
		recovered, e.errorSeen = e.errorSeen, false
		e.fetched, e.failures = time.Now(), 0
		return recovered
	}
	e.errorSeen = e.errorSeen || !poll
	e.retryAt = time.Now().Add(min(o.FirstRetry<<min(e.failures, 20), o.PollInterval))
	e.failures++
	return false
}
