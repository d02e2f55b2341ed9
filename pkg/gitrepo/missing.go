package gitrepo

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// HasTree reports whether the files of a commit are in the view, and can be read without a request.
func (r *Repo) HasTree(commit Hash) bool {
	c, err := decodeCommit(r, commit)
	if err != nil {
		return false
	}
	o, err := r.object(c.Tree)
	return err == nil && o != nil
}

// NeedTrees fetches the files of commits that are not in the view, in one request. A commit that the server does not have any more is no
// error before its files are read.
func (r *Repo) NeedTrees(commits []Hash) error {
	release, err := r.lockRemote(r.reading)
	if err != nil {
		return err
	}
	defer release()
	missing := map[Hash]bool{}
	for _, id := range commits {
		if r.mayLackTrees() && !r.isGone(id) && !r.HasTree(id) {
			missing[id] = true
		}
	}
	got, err := r.fetchTrees(r.reading, sorted(missing))
	if err != nil && !refusesWant(err) {
		return err
	}
	r.putAll(got)
	return nil
}

// needTree fetches the files of a commit if they are not in the view. It waits as long as a conversation may take, or until
// Options.Context ends.
func (r *Repo) needTree(c Commit) error {
	r.mu.RLock()
	missing := r.partial && r.store[c.Tree] == nil
	r.mu.RUnlock()
	if !missing {
		return nil
	}
	release, err := r.lockRemote(r.reading)
	if err != nil {
		return err
	}
	defer release()
	if r.HasTree(c.Hash) { // fetched meanwhile
		return nil
	}
	if r.isGone(c.Hash) {
		return r.goneError(c.Hash)
	}
	return r.fetchMissing(r.reading, c)
}

// mostMissed is after how many single commits everything is fetched: a request for each would take longer.
const mostMissed = 32

// fetchMissing fetches one commit, or all that the refs reach. It remembers a commit that does not come.
func (r *Repo) fetchMissing(ctx context.Context, c Commit) (err error) {
	var got objectMap
	all := r.missed == mostMissed
	if all {
		got, err = r.fetchAll(ctx, c.Hash)
	} else {
		got, err = r.fetchTrees(ctx, []Hash{c.Hash})
	}
	if err != nil && !refusesWant(err) {
		return err
	}
	r.putAll(got)
	r.mu.Lock()
	defer r.mu.Unlock()
	here := r.store[c.Tree] != nil
	switch {
	case all:
		r.missed, r.partial = 0, !here
	case here:
		r.missed++
	}
	if !here {
		r.gone[c.Hash] = true
		return r.goneError(c.Hash)
	}
	return nil
}

// fetchAll fetches all that the refs of the server reach.
func (r *Repo) fetchAll(ctx context.Context, commit Hash) (got objectMap, err error) {
	err = r.remote.Read(ctx, func(ctx context.Context, s *transport.Session) (err error) {
		if s.Refs != nil {
			ids, _, _ := byAll(s.Refs, commit)
			got, err = s.Fetch(ctx, transport.Request{Wants: ids})
		}
		return err
	})
	return got, err
}

// isGone reports whether the server did not have a commit, as long as no ref has changed since.
func (r *Repo) isGone(commit Hash) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.gone[commit]
}

func (r *Repo) goneError(commit Hash) error { return &GoneError{URL: r.URL(), Commit: commit} }

func (r *Repo) mayLackTrees() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.partial
}

func (r *Repo) putAll(got objectMap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(got)
}
