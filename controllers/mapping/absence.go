package mapping

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// patience is how many settle times an absence is doubted while other objects of the type come and go.
const patience = 5

// miss notes since when inputs are not there.
func (p *pass) miss(inputs map[string]bool) {
	now := time.Now()
	for key := range inputs {
		if p.keys[key] {
			delete(p.memory.absent, key)
		} else if p.memory.absent[key].IsZero() {
			p.memory.absent[key] = now
		}
	}
}

// ripen parts operations: those to carry out now, and those that wait because their input is not there and
// nobody knows whether that is meant. Where many objects of a type go, all of them may: what is done at the
// first of them cannot be undone when the last one is missed.
func (p *pass) ripen(ctx context.Context, ops []correspond.Operation) (ripe []correspond.Operation, later []correspond.Attempt) {
	dooms := map[kind]string{}
	for _, op := range ops {
		since, absent := p.memory.absent[op.Key]
		if !absent || op.Action == correspond.ActionKeep || p.isBelieved(ctx, op, since, dooms) {
			ripe = append(ripe, op)
		} else {
			later = append(later, correspond.Attempt{Operation: op, Skipped: true})
		}
	}
	return ripe, later
}

// isBelieved reports whether the absence of an input is to be acted upon; if not, it is looked at again.
func (p *pass) isBelieved(ctx context.Context, op correspond.Operation, since time.Time, dooms map[kind]string) bool {
	_, id, _ := correspond.ParseKey(op.Key) // an input's
	_, owner, _ := correspond.ParseKey(op.Owner)
	for k, r := range p.ready.roles {
		if !r.input || k.Group != id.Group || p.ready.types.Lookup(id.Group, id.Kind).Plural != k.Resource {
			continue
		}
		if left := min(p.shelves[k].restless(p.options.Settle), patience*p.options.Settle-time.Since(since)); left > 0 {
			p.agenda.after(left, owner.Namespace)
			return false
		}
		if _, is := dooms[k]; !is {
			dooms[k] = p.doom(ctx, k)
		}
		if dooms[k] != "" {
			p.doomed = dooms[k]
			p.agenda.after(p.options.look(), "")
			return false
		}
	}
	if left := p.options.Settle - time.Since(since); left > 0 {
		p.agenda.after(left, owner.Namespace)
		return false
	}
	return true
}

// restless is how long objects of the type have to stay where they are until that has been so for a time.
func (s *shelf) restless(whole time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return whole - time.Since(s.stirred)
}

// doom says why no absence of an object of a type counts; "" when it does. A type that is being deleted takes
// its objects with it, one by one; discovery tells, which everybody may read, by not letting create any.
func (p *pass) doom(ctx context.Context, k kind) string {
	list, err := p.discovery.ServerResourcesForGroupVersion(k.GroupVersion().String())
	switch {
	case ctx.Err() != nil, apierrors.IsNotFound(err):
		return fmt.Sprintf("%s is not served any more; outputs of its objects stay", k.GroupResource())
	case err != nil:
		return fmt.Sprintf("the API server does not say whether %s is being deleted as a type; until then outputs of its objects stay",
			k.GroupResource())
	}
	for _, r := range list.APIResources {
		if r.Name == k.Resource {
			if slices.Contains(r.Verbs, "delete") && !slices.Contains(r.Verbs, "create") {
				return fmt.Sprintf("%s is being deleted as a type, with all its objects; outputs of these stay", k.GroupResource())
			}
			return ""
		}
	}
	return fmt.Sprintf("%s is not served any more; outputs of its objects stay", k.GroupResource())
}
