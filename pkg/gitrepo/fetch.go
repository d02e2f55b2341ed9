package gitrepo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// Refresh updates the view to the present state of the remote, deleted refs included. In a rehearsal it does nothing.
func (r *Repo) Refresh(ctx context.Context) error {
	if r.rehearsing() {
		return nil
	}
	release, err := r.lockRemote(ctx)
	if err != nil {
		return err
	}
	defer release()
	for attempt := 1; ; attempt++ {
		err = r.refresh(ctx)
		if !r.unfiltered && r.refusesFilter(err) {
			r.unfiltered = true
			err = r.refresh(ctx)
		}
		// A branch deleted between the list of refs and the request for objects: ask again.
		if err == nil || attempt == 3 || !strings.Contains(err.Error(), "not our ref") {
			break
		}
	}
	if err != nil {
		return err
	}
	r.step(StepFetched)
	return nil
}

func (r *Repo) refresh(ctx context.Context) error {
	var refs map[string]Hash
	var got map[Hash]*pack.Object
	var partial bool
	err := r.remote.Read(ctx, func(ctx context.Context, s *transport.Session) (err error) {
		refs, partial = branchesAndTags(s.Refs), r.isPartial(s)
		if wants, haves := r.negotiate(refs, partial); len(wants) > 0 {
			got, err = s.Fetch(ctx, transport.Request{Wants: wants, Haves: haves, OnlyCommits: partial})
		}
		return withRefs(err, refs)
	})
	if err == nil && partial {
		got, err = r.addTrees(ctx, refs, got)
	}
	if err != nil {
		return err
	}
	r.adopt(refs, got, partial)
	return nil
}

// withRefs adds a digest of the refs to the error for a pack.
func withRefs(err error, refs map[string]Hash) error {
	if refused, ok := errors.AsType[*PackError](err); ok {
		return &PackError{URL: refused.URL, Err: refused.Err, Refs: digestOf(refs)}
	}
	return err
}

// branchesAndTags returns those that the server lists.
func branchesAndTags(adv *packp.AdvRefs) map[string]Hash {
	refs := map[string]Hash{}
	if adv == nil {
		return refs
	}
	for name, id := range adv.References {
		if strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/") {
			refs[name] = id
		}
	}
	return refs
}

// RefsDigest asks the repository at url for its refs, and nothing more, and digests them as PackError does.
func RefsDigest(ctx context.Context, url string, opts Options) (digest string, err error) {
	q, err := newQuery(url, "", "", opts)
	if err != nil {
		return "", err
	}
	err = q.remote.Read(ctx, func(_ context.Context, s *transport.Session) error {
		digest = digestOf(branchesAndTags(s.Refs))
		return nil
	})
	return digest, err
}

// digestOf returns a digest of refs and their values.
func digestOf(refs map[string]Hash) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(h, "%s %s\n", refs[name], name)
	}
	const enough = 8 // bytes
	return hex.EncodeToString(h.Sum(nil)[:enough])
}

// negotiate splits refs into what to ask for, and adds what the view has, both sorted. A view without trees, of a server that no
// longer filters, asks for everything.
func (r *Repo) negotiate(refs map[string]Hash, partial bool) (wants, haves []Hash) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	want, have := map[Hash]bool{}, map[Hash]bool{}
	anew := r.partial && !partial
	for _, id := range refs {
		want[id] = anew || r.store[id] == nil
	}
	for _, id := range r.refs {
		if !anew {
			have[id] = true
		}
	}
	maps.DeleteFunc(want, func(_ Hash, missing bool) bool { return !missing })
	return sorted(want), sorted(have)
}

func sorted(ids map[Hash]bool) []Hash {
	return slices.SortedFunc(maps.Keys(ids), func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
}

// put adds an object that is not in the view.
func (r *Repo) put(o *pack.Object) {
	r.memory.Add(o)
	r.store[o.ID] = o
}

// add adds the objects of a pack to the view. What the view has stays, and what the pack has as a delta of that becomes a delta of what
// stays: so the view has no object twice in memory.
func (r *Repo) add(got objectMap) {
	for _, o := range got {
		var missing []*pack.Object
		for ; o != nil && r.store[o.ID] == nil; o = o.Base() {
			missing = append(missing, o)
		}
		for _, o := range slices.Backward(missing) { // bases first
			if base := o.Base(); base != nil {
				o = o.WithBase(r.store[base.ID])
			}
			r.put(o)
		}
	}
}

// adopt adds refs and objects to the view in one step.
func (r *Repo) adopt(refs map[string]Hash, got map[Hash]*pack.Object, partial bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(got)
	if !maps.Equal(r.refs, refs) { // what was gone may have come back
		clear(r.gone)
	}
	r.refs, r.partial = refs, partial
}
