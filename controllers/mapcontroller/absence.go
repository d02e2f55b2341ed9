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

// splitByAbsence splits operations into those to execute now, and those that wait because the absence of their input may
// not be intended. When many objects of a type disappear, all of them may follow, and a deletion for the first of them
// cannot be undone when the last one is missing.
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

// isConfirmed reports whether the absence of an input counts; if not, it queues the owner again.
func (p *pass) isConfirmed(ctx context.Context, op applyset.Operation, since time.Time, deletions map[live.Resource]string) bool {
	_, id, _ := applyset.ParseKey(op.Key) // an input's
	_, owner, _ := applyset.ParseKey(op.Owner)
	settle := p.options.Settle
	if k, found := p.prepared.resource(id, role.isInput); found {
		if left := min(settle-p.caches[k].UnchangedFor(), maxSettles*settle-time.Since(since)); left > 0 {
			p.queue.AddAfter(owner.Namespace, left)
			return false
		}
		if _, known := deletions[k]; !known {
			deletions[k] = p.typeDeletionOf(ctx, k)
		}
		if deletions[k] != "" {
			p.typeDeletion = deletions[k]
			p.queue.AddAfter("", live.PollInterval(p.options.LastRetry))
			return false
		}
	}
	if left := settle - time.Since(since); left > 0 {
		p.queue.AddAfter(owner.Namespace, left)
		return false
	}
	return true
}

// typeDeletionOf says why no absence of an object of a type counts; "" when it does. The deletion of a type deletes its
// objects one by one. Discovery, which every client may read, then lists no verb create for it.
func (p *pass) typeDeletionOf(ctx context.Context, k live.Resource) string {
	list, err := p.server.Discovery.ServerResourcesForGroupVersion(k.GroupVersion().String())
	if err != nil && ctx.Err() == nil && !apierrors.IsNotFound(err) {
		return fmt.Sprintf("the API server does not say whether %s is being deleted as a type; until then outputs of its objects stay",
			k.GroupResource())
	}
	i := -1
	if err == nil && ctx.Err() == nil {
		i = slices.IndexFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == k.Resource })
	}
	switch {
	case i < 0:
		return fmt.Sprintf("%s is not served any more; outputs of its objects stay", k.GroupResource())
	case slices.Contains(list.APIResources[i].Verbs, "delete") && !slices.Contains(list.APIResources[i].Verbs, "create"):
		return fmt.Sprintf("%s is being deleted as a type, with all its objects; outputs of these stay", k.GroupResource())
	}
	return ""
}

// maxSingleReads is how many objects of a type are read one by one; more are listed.
const maxSingleReads = 20

// find reads objects by their keys from the API server, where they are of a type that counts, and returns those that exist.
// It remembers the others as gone until they come back.
func (p *pass) find(ctx context.Context, keys map[string]bool, counts func(role) bool) (found []*krm.Object, err error) {
	maps.DeleteFunc(p.memory.gone, func(key string, _ bool) bool { return p.snapshot.keys[key] })
	byType := map[live.Resource][]krm.ID{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		_, id, err := applyset.ParseKey(key)
		if err != nil || p.memory.gone[key] {
			continue // package applyset reports what is wrong with the key
		}
		if k, found := p.prepared.resource(id, counts); found {
			byType[k] = append(byType[k], id)
		}
	}
	for _, k := range sortedResources(byType) {
		read := p.readEach
		if len(byType[k]) > maxSingleReads {
			read = p.readAll
		}
		some, err := read(ctx, k, byType[k])
		if apierrors.IsNotFound(err) { // there is a list of every type that is served
			err = live.ErrNotServed
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", k.GroupResource(), err)
		}
		found = append(found, some...)
	}
	return found, nil
}

// readEach reads objects one by one.
func (p *pass) readEach(ctx context.Context, k live.Resource, ids []krm.ID) (found []*krm.Object, err error) {
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

// readAll lists all objects of a type, and returns those that are wanted.
func (p *pass) readAll(ctx context.Context, k live.Resource, ids []krm.ID) (found []*krm.Object, err error) {
	missing, namespaces := map[krm.ID]bool{}, map[string]bool{}
	for _, id := range ids {
		missing[id], namespaces[id.Namespace] = true, true
	}
	if len(p.options.Namespaces) == 0 {
		namespaces = map[string]bool{metav1.NamespaceAll: true}
	}
	for _, namespace := range slices.Sorted(maps.Keys(namespaces)) {
		err := p.server.Each(ctx, k, namespace, func(o *krm.Object) {
			if missing[o.ID()] {
				found = append(found, o)
				delete(missing, o.ID())
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for id := range missing {
		p.memory.gone[id.String()] = true
	}
	return found, nil
}
