package gitrepo

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// extent is how much of a history is asked for.
type extent bool

const (
	shallow extent = false // the commits named and no others, where the server can do that
	history extent = true  // all that led to them
)

// objectMap is a set of objects in memory.
type objectMap map[Hash]*pack.Object

func (m objectMap) object(id Hash) (*pack.Object, error) { return m[id], nil }

// fetch asks for what stands under ids.
func (a *ask) fetch(ctx context.Context, s *transport.Session, much extent, ids []Hash) (objectMap, error) {
	got, err := s.Fetch(ctx, transport.Request{Wants: ids, Shallow: much == shallow})
	if err == nil && len(got) == 0 { // a server in trouble; that is not to say that the commit is gone
		err = &PackError{Err: errors.New("it is empty, or the answer ended early")}
	}
	return got, err
}

// locked reads the package at a commit, or at a tag object, of which nothing but the id is known.
func (a *ask) locked(ctx context.Context, id Hash, ref string) (*Fetched, error) {
	r := Resolved{Ref: ref, Commit: id, target: id}
	if ref == "" {
		r.Ref = id.String()
	}
	if f, err := a.fromCache(r); f != nil || err != nil {
		return f, err
	}
	got, err := a.search(ctx, id)
	if err != nil {
		return nil, err
	}
	return a.take(r, got)
}

// search tries what a server may allow, cheapest first: the id itself; the history of the ref it was
// found at; everything.
func (a *ask) search(ctx context.Context, id Hash) (objectMap, error) {
	for _, plan := range []plan{byID, a.byRef, byAll} {
		got, final, err := a.try(ctx, id, plan)
		if err != nil || got != nil {
			return got, err
		}
		if final {
			break
		}
	}
	gone := &GoneError{URL: a.remote.URL(), Commit: id, Ref: a.ref}
	if a.ref == id.String() {
		gone.Ref = ""
	}
	return nil, gone
}

// plan says what to ask for in order to get id; nothing when that way is closed. Final means that
// there is no other: what the server refuses it does not have.
type plan func(adv *packp.AdvRefs, id Hash) (ids []Hash, much extent, final bool)

// try asks for what plan says, and returns nil when id is not in it.
func (a *ask) try(ctx context.Context, id Hash, plan plan) (got objectMap, final bool, err error) {
	err = a.remote.Read(ctx, func(ctx context.Context, s *transport.Session) error {
		if s.Refs == nil {
			return nil
		}
		var ids []Hash
		var much extent
		if ids, much, final = plan(s.Refs, id); len(ids) == 0 {
			return nil
		}
		got, err = a.fetch(ctx, s, much, ids)
		return err
	})
	if err != nil && refusesWant(err) {
		return nil, final, nil
	}
	if err != nil || got[id] == nil {
		return nil, final, err
	}
	return got, final, nil
}

// refusesWant reports whether a server said that it does not have, or does not give, an object.
func refusesWant(err error) bool {
	said := err.Error()
	return strings.Contains(said, "not our ref") || strings.Contains(said, "unadvertised object")
}

// byID asks for the commit itself: where the server gives any that it has, or a ref stands there.
func byID(adv *packp.AdvRefs, id Hash) ([]Hash, extent, bool) {
	want := map[Hash]bool{}
	for name, target := range branchesAndTags(adv) {
		if target == id || adv.Peeled[name] == id {
			want[target] = true
		}
	}
	if len(want) > 0 {
		return sorted(want)[:1], shallow, false
	}
	if adv.Capabilities.Supports(capability.AllowReachableSHA1InWant) {
		return []Hash{id}, shallow, true
	}
	return nil, shallow, false
}

func (a *ask) byRef(adv *packp.AdvRefs, _ Hash) ([]Hash, extent, bool) {
	r, err := a.resolve(adv)
	if err != nil { // the ref is gone, too
		return nil, history, false
	}
	return []Hash{r.target}, history, false
}

func byAll(adv *packp.AdvRefs, _ Hash) ([]Hash, extent, bool) {
	want := map[Hash]bool{}
	for _, id := range branchesAndTags(adv) {
		want[id] = true
	}
	return sorted(want), history, true
}
