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

// objectMap is a set of objects in memory.
type objectMap map[Hash]*pack.Object

func (m objectMap) object(id Hash) (*pack.Object, error) { return m[id], nil }

// fetch asks for what stands under ids.
func (q *query) fetch(ctx context.Context, s *transport.Session, shallow bool, ids []Hash) (objectMap, error) {
	got, err := s.Fetch(ctx, transport.Request{Wants: ids, Shallow: shallow})
	if err == nil && len(got) == 0 { // the server has a problem, which does not mean that the commit is missing
		err = &PackError{Err: errors.New("it is empty, or the answer ended early")}
	}
	return got, err
}

// locked reads the package at a commit, or at a tag object, of which nothing but the id is known.
func (q *query) locked(ctx context.Context, id Hash, ref string) (*Fetched, error) {
	r := Resolved{Ref: ref, Commit: id, target: id}
	if ref == "" {
		r.Ref = id.String()
	}
	if f, err := q.fromCache(r); f != nil || err != nil {
		return f, err
	}
	got, err := q.search(ctx, id)
	if err != nil {
		return nil, err
	}
	return q.take(r, got)
}

// search asks for the commit in the ways that a server may allow, cheapest first: by id; by the history of the ref that it was
// found at; by everything.
func (q *query) search(ctx context.Context, id Hash) (objectMap, error) {
	for _, plan := range []plan{byID, q.byRef, byAll} {
		got, final, err := q.try(ctx, id, plan)
		if err != nil || got != nil {
			return got, err
		}
		if final {
			break
		}
	}
	missing := &GoneError{URL: q.remote.URL(), Commit: id, Ref: q.ref}
	if q.ref == id.String() {
		missing.Ref = ""
	}
	return nil, missing
}

// plan says what to ask for in order to get id, and whether without the history before it. No ids mean that this way is not
// possible; final means that no later plan can help: what the server refuses it does not have.
type plan func(adv *packp.AdvRefs, id Hash) (ids []Hash, shallow, final bool)

// try asks for what plan says, and returns nil when id is not in it.
func (q *query) try(ctx context.Context, id Hash, plan plan) (got objectMap, final bool, err error) {
	err = q.remote.Read(ctx, func(ctx context.Context, s *transport.Session) error {
		if s.Refs == nil {
			return nil
		}
		var ids []Hash
		var shallow bool
		if ids, shallow, final = plan(s.Refs, id); len(ids) == 0 {
			return nil
		}
		got, err = q.fetch(ctx, s, shallow, ids)
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
	text := err.Error()
	return strings.Contains(text, "not our ref") || strings.Contains(text, "unadvertised object")
}

// byID asks for the commit itself: where the server gives any that it has, or a ref stands there.
func byID(adv *packp.AdvRefs, id Hash) (ids []Hash, shallow, final bool) {
	want := map[Hash]bool{}
	for name, target := range branchesAndTags(adv) {
		if target == id || adv.Peeled[name] == id {
			want[target] = true
		}
	}
	if len(want) > 0 {
		return sorted(want)[:1], true, false
	}
	if adv.Capabilities.Supports(capability.AllowReachableSHA1InWant) {
		return []Hash{id}, true, true
	}
	return nil, true, false
}

func (q *query) byRef(adv *packp.AdvRefs, _ Hash) (ids []Hash, shallow, final bool) {
	r, err := q.resolve(adv)
	if err != nil { // the ref is missing, too
		return nil, false, false
	}
	return []Hash{r.target}, false, false
}

func byAll(adv *packp.AdvRefs, _ Hash) (ids []Hash, shallow, final bool) {
	want := map[Hash]bool{}
	for _, id := range branchesAndTags(adv) {
		want[id] = true
	}
	return sorted(want), false, true
}
