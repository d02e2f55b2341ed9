package mapcontroller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// maxSettles is how many settle times an absence waits while other objects of the type come and go.
const maxSettles = 5

// noteAbsences notes since when inputs are absent.
func (p *pass) noteAbsences(inputs map[string]bool) {
	now := time.Now()
	for key := range inputs {
		if p.snapshot.keys[key] {
			delete(p.memory.absent, key)
		} else if p.memory.absent[key].IsZero() {
			p.memory.absent[key] = now
		}
	}
}

// splitByAbsence splits operations into those to execute now, and those that wait because their input is absent and
// that may not be meant. Where many objects of a type go, all of them may: what is deleted for the first of them cannot
// be undone when the last one is missed.
func (p *pass) splitByAbsence(ctx context.Context, ops []applyset.Operation) (now []applyset.Operation, later []applyset.Attempt) {
	deletions := map[live.Resource]string{}
	for _, op := range ops {
		since, absent := p.memory.absent[op.Key]
		if !absent || op.Action == applyset.ActionKeep || p.isConfirmed(ctx, op, since, deletions) {
			now = append(now, op)
		} else {
			later = append(later, applyset.Attempt{Operation: op, Skipped: true})
		}
	}
	return now, later
}

// isConfirmed reports whether the absence of an input counts; if not, its owner is queued again.
func (p *pass) isConfirmed(ctx context.Context, op applyset.Operation, since time.Time, deletions map[live.Resource]string) bool {
	_, id, _ := applyset.ParseKey(op.Key) // an input's
	_, owner, _ := applyset.ParseKey(op.Owner)
	for k, r := range p.prepared.roles {
		if !r.input || k.Group != id.Group || p.prepared.types.Lookup(id.Group, id.Kind).Plural != k.Resource {
			continue
		}
		settle := p.options.Settle
		if left := min(settle-p.caches[k].UnchangedFor(), maxSettles*settle-time.Since(since)); left > 0 {
			p.queue.AddAfter(owner.Namespace, left)
			return false
		}
		if _, is := deletions[k]; !is {
			deletions[k] = p.typeDeletionOf(ctx, k)
		}
		if deletions[k] != "" {
			p.typeDeletion = deletions[k]
			p.queue.AddAfter("", p.options.pollInterval())
			return false
		}
	}
	if left := p.options.Settle - time.Since(since); left > 0 {
		p.queue.AddAfter(owner.Namespace, left)
		return false
	}
	return true
}

// typeDeletionOf says why no absence of an object of a type counts; empty when it does. A type that is being deleted takes
// its objects with it, one by one. Discovery, which every client may read, then lists no verb create for it.
func (p *pass) typeDeletionOf(ctx context.Context, k live.Resource) string {
	list, err := p.server.Discovery.ServerResourcesForGroupVersion(k.GroupVersion().String())
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

// find asks the API server for objects by their keys, where they are of a type that counts, and returns those that exist.
// It remembers the others as gone until they come back.
func (p *pass) find(ctx context.Context, keys map[string]bool, counts func(role) bool) (found []*krm.Object, err error) {
	for key := range p.memory.gone {
		if p.snapshot.keys[key] {
			delete(p.memory.gone, key)
		}
	}
	byType := map[live.Resource][]krm.ID{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		_, id, err := applyset.ParseKey(key)
		if err != nil || p.memory.gone[key] {
			continue // the engine reports what is wrong with it
		}
		for k, r := range p.prepared.roles {
			if counts(r) && k.Group == id.Group && p.prepared.types.Lookup(id.Group, id.Kind).Plural == k.Resource {
				byType[k] = append(byType[k], id)
			}
		}
	}
	const few = 20
	for _, k := range sortedResources(byType) {
		ask := p.askEach
		if len(byType[k]) > few {
			ask = p.askAll
		}
		some, err := ask(ctx, k, byType[k])
		if apierrors.IsNotFound(err) { // there is a list of every type that is served
			err = live.ErrNotServed
		}
		if err != nil {
			return nil, fmt.Errorf("ask for %s: %w", k.GroupResource(), err)
		}
		found = append(found, some...)
	}
	return found, nil
}

// askEach asks for objects one by one.
func (p *pass) askEach(ctx context.Context, k live.Resource, ids []krm.ID) (found []*krm.Object, err error) {
	for _, id := range ids {
		o, err := p.server.Find(ctx, k, live.Key{Namespace: id.Namespace, Name: id.Name})
		if err != nil {
			return nil, err
		}
		if p.memory.gone[id.String()] = o == nil; o != nil {
			found = append(found, o)
		}
	}
	return found, nil
}

// askAll lists all objects of a type, and returns those that are wanted.
func (p *pass) askAll(ctx context.Context, k live.Resource, ids []krm.ID) (found []*krm.Object, err error) {
	wanted, namespaces := map[krm.ID]bool{}, map[string]bool{}
	for _, id := range ids {
		wanted[id], namespaces[id.Namespace] = true, true
	}
	if len(p.options.Namespaces) == 0 {
		namespaces = map[string]bool{metav1.NamespaceAll: true}
	}
	for _, namespace := range slices.Sorted(maps.Keys(namespaces)) {
		err := p.server.Each(ctx, k, namespace, func(o *krm.Object) {
			if wanted[o.ID()] {
				found = append(found, o)
				delete(wanted, o.ID())
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for id := range wanted {
		p.memory.gone[id.String()] = true
	}
	return found, nil
}
