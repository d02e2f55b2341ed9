package publishedresource

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// write sends a write for an object, counts it, and stores the answer in the cache of the object; nil for none.
func (p *pass) write(
	c *live.Cache, key live.Key, action applyset.Action, send func() (*krm.Object, error),
) (answer *krm.Object, err error) {
	if c != nil {
		end := c.BeginWrite(key)
		defer func() { end(answer, p.worker) }()
	}
	answer, err = send()
	p.metrics.operations.WithLabelValues(p.worker.name, string(action), live.Result(err)).Inc()
	return answer, err
}

// setFinalizer adds the finalizer to an object of a cache, or removes it.
func (p *pass) setFinalizer(ctx context.Context, c *live.Cache, o *krm.Object, on bool) error {
	action := actionRemoveFinalizer
	if on {
		action = actionAddFinalizer
	}
	_, err := p.write(c, live.KeyOf(o), action, func() (*krm.Object, error) {
		return live.SetFinalizer(ctx, c.Server.Client(c.Resource, o.Namespace()), o, p.prepared.rule.Finalizer(), on)
	})
	return err
}

// writeAnnotations writes into primaries which objects are related to them.
func (p *primary) writeAnnotations(ctx context.Context, r *apisync.Round) (bool, error) {
	for _, w := range r.AnnotationWrites {
		c := p.prepared.cache(p.server.Name, p.prepared.remote)
		now := c.Get(live.KeyOf(w.Object))
		if now == nil {
			continue
		}
		_, err := p.pass.write(c, live.KeyOf(now), actionAnnotate, func() (*krm.Object, error) {
			return live.PatchMetadata(ctx, c.Server.Client(c.Resource, now.Namespace()), now, map[string]any{"annotations": w.Annotations})
		})
		if err != nil {
			return true, describe("annotate "+w.Ref.String(), w.Ref.ID, err)
		}
	}
	return len(r.AnnotationWrites) > 0, nil
}

// apply executes one operation on a copy.
func (p *primary) apply(ctx context.Context, op applyset.Operation) error {
	if op.Action == applyset.ActionKeep {
		p.applied.Note(op)
		return nil
	}
	c, k := p.prepared.cacheFor(op.Ref), p.oldTypes[apisync.RoleOf(op.Ref)]
	switch {
	case c != nil:
		k = c.Resource
	case k.Resource == "":
		return fmt.Errorf("%s %s: nothing names its type any more; delete it yourself", op.Action, op.Ref)
	}
	if op.Action == applyset.ActionDelete {
		if err := p.confirmAbsence(ctx, op.Key); err != nil {
			return err
		}
	}
	answer, err := p.pass.write(c, keyOf(op.Ref), op.Action, func() (*krm.Object, error) { return p.send(ctx, c, k, op) })
	if err != nil {
		return describe(fmt.Sprintf("%s %s", op.Action, op.Ref), op.Ref.ID, err)
	}
	if answer != nil && op.Old != nil && live.ResourceVersion(answer) == live.ResourceVersion(op.Old) {
		return fmt.Errorf("%s %s: the API server accepted it and changed nothing: it drops fields, or resets them", op.Action, op.Ref)
	}
	p.applied.Note(op)
	p.changed = true
	p.recordOperation(op)
	return nil
}

// recordOperation tells the consumer what was done for a primary, or for an object that is related to it.
func (p *primary) recordOperation(op applyset.Operation) {
	what := "the copy"
	if op.Edge != "primary" {
		what = "a copy of " + op.Edge
	}
	switch op.Action {
	case applyset.ActionCreate, applyset.ActionAdopt:
		p.server.recordEvent(p.source(), eventPlaced, what+" was created")
	case applyset.ActionDelete:
		p.server.recordEvent(p.source(), eventCleanup, what+" is deleted")
	default:
		p.server.recordEvent(p.source(), eventSynced, what+" was changed")
	}
}

// describe adds to an error what failed. An API server's error about a Secret may hold its values.
func describe(what string, id krm.ID, err error) error {
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

// send asks an API server to do an operation, and returns its answer.
func (p *primary) send(ctx context.Context, c *live.Cache, k live.Resource, op applyset.Operation) (*krm.Object, error) {
	on := p.pass.worker.controller.server(op.Ref.Place)
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
		existing, _ := on.Find(ctx, k, keyOf(op.Ref)) // without it, the watch will tell
		return existing, live.ErrConflict
	case apierrors.IsConflict(err), apierrors.IsNotFound(err) && !live.IsUnknownPath(err):
		return nil, live.ErrConflict
	case err != nil:
		return nil, err
	}
	return live.FromUnstructured(made)
}
