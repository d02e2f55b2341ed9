package publishedresource

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// apply executes one operation on a copy.
func (l *primary) apply(ctx context.Context, op applyset.Operation) error {
	if op.Action == applyset.ActionKeep {
		l.applied.note(op)
		return nil
	}
	k, ok := l.resourceOf(op.Ref)
	if !ok {
		return fmt.Errorf("%s %s: it is of no type that is known here any more; delete it yourself", op.Action, op.Ref)
	}
	if op.Action == applyset.ActionDelete {
		if err := l.confirmAbsence(ctx, op); err != nil {
			return err
		}
	}
	answer, err := l.write(ctx, k, op)
	l.pass.metrics.operation(l.pass.worker.name, op.Action, err)
	if err != nil {
		return l.describe(fmt.Sprintf("%s %s", op.Action, op.Ref), op.Ref.ID, err)
	}
	if answer != nil && op.Old != nil && live.ResourceVersion(answer) == live.ResourceVersion(op.Old) {
		return fmt.Errorf("%s %s: the API server took it and changed nothing: it drops fields, or sets them back", op.Action, op.Ref)
	}
	l.applied.note(op)
	l.changed = true
	l.recordEvent(op)
	return nil
}

// recordEvent tells the consumer what was done for a primary, or for an object that is related to it.
func (l *primary) recordEvent(op applyset.Operation) {
	what := "the copy"
	if op.Edge != "primary" {
		what = "a copy of " + op.Edge
	}
	switch op.Action {
	case applyset.ActionCreate, applyset.ActionAdopt:
		l.server.event(l.source(), eventPlaced, what+" was made")
	case applyset.ActionDelete:
		l.server.event(l.source(), eventCleanup, what+" goes")
	default:
		l.server.event(l.source(), eventSynced, what+" was changed")
	}
}

// describe adds to an error what failed. What an API server says about a Secret may hold its values.
func (l *primary) describe(what string, id krm.ID, err error) error {
	switch {
	case errors.Is(err, live.ErrConflict):
		return err
	case id.Group == "" && id.Kind == "Secret":
		return fmt.Errorf("%s: %s", what, reasonOf(err))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// reasonOf is the part of an API server's error that holds no values.
func reasonOf(err error) string {
	if reason := apierrors.ReasonForError(err); reason != "" {
		return string(reason)
	}
	return "the API server did not answer"
}

// resourceOf is the type of a copy.
func (l *primary) resourceOf(ref applyset.Ref) (live.Resource, bool) {
	role := roleKey{ref.Place != "", schema.GroupKind{Group: ref.Group, Kind: ref.Kind}}
	if k, is := l.prepared.resources[role]; is {
		return k, true
	}
	k, is := l.oldTypes[role]
	return k, is
}

// confirmAbsence asks for an origin that is absent, before its copy goes for that. One that exists after all counts.
func (l *primary) confirmAbsence(ctx context.Context, op applyset.Operation) error {
	cluster, id, err := applyset.ParseKey(op.Key)
	if err != nil || op.Key == l.key {
		return nil
	}
	k, is := l.prepared.resources[roleKey{cluster != "", schema.GroupKind{Group: id.Group, Kind: id.Kind}}]
	on := l.pass.worker.controller.server(cluster)
	if !is || on == nil {
		return nil
	}
	c := l.prepared.cache(cluster, k)
	if c == nil || c.Get(live.Key{Namespace: id.Namespace, Name: id.Name}) != nil {
		return nil
	}
	o, err := on.Find(ctx, k, live.Key{Namespace: id.Namespace, Name: id.Name})
	if err != nil {
		return fmt.Errorf("ask for %s: %w", op.Key, err)
	}
	if o != nil {
		c.Put(o, l.pass.worker)
		return live.ErrConflict
	}
	return nil
}

// write asks an API server to do an operation, and stores its answer in the cache.
func (l *primary) write(ctx context.Context, k live.Resource, op applyset.Operation) (answer *krm.Object, err error) {
	on, key := l.pass.worker.controller.server(op.Ref.Place), live.Key{Namespace: op.Ref.Namespace, Name: op.Ref.Name}
	c := l.prepared.cache(op.Ref.Place, k)
	if c != nil {
		end := c.BeginWrite(key)
		defer func() { end(answer, l.pass.worker) }()
	}
	client := on.Client(k, op.Ref.Namespace)
	if op.Action == applyset.ActionDelete {
		uid, version := types.UID(live.UID(op.Old)), live.ResourceVersion(op.Old)
		err := live.Remove(ctx, client, op.Ref.Name, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
		if err == nil && c != nil {
			c.MarkDeleting(op.Old)
		}
		return nil, err
	}
	made, err := live.Write(ctx, client, op)
	switch {
	case apierrors.IsAlreadyExists(err):
		existing, _ := on.Find(ctx, k, key) // without it, the watch will tell
		return existing, live.ErrConflict
	case apierrors.IsConflict(err), apierrors.IsNotFound(err) && !live.IsUnknownPath(err):
		return nil, live.ErrConflict
	case err != nil:
		return nil, err
	}
	return live.FromUnstructured(made)
}
