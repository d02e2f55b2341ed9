package mapcontroller

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// apply executes one operation.
func (p *pass) apply(ctx context.Context, op applyset.Operation) error {
	k, ok := p.prepared.resource(op.Ref.ID, role.isOutput)
	switch {
	case op.Action == applyset.ActionKeep:
		return nil
	case !ok: // the plan has operations on outputs of a type that the spec no longer names
		return fmt.Errorf("%s %s: its type is not an output type any more; delete it yourself, or put the type back", op.Action, op.Ref)
	}
	name := op.Ref.String()
	end := p.caches[k].BeginWrite(live.Key{Namespace: op.Ref.Namespace, Name: op.Ref.Name})
	answer, err := p.write(ctx, k, op)
	end(answer, nil)
	p.metrics.operation(p.worker.name, op.Action, err)
	if err == nil || errors.Is(err, live.ErrConflict) {
		return err
	}
	if p.seesSecrets() && op.Old == nil {
		name = op.Ref.Kind + " (its name may be secret)"
	}
	return fmt.Errorf("%s %s: %w", op.Action, name, p.redact(err))
}

// redact reduces an error of the API server to its reason where the text may hold values of Secrets.
func (p *pass) redact(err error) error {
	if !p.seesSecrets() || errors.Is(err, live.ErrConflict) {
		return err
	}
	return errors.New(string(apierrors.ReasonForError(err)))
}

// seesSecrets reports whether hooks of the MapController get Secrets.
func (p *pass) seesSecrets() bool {
	for k := range p.caches {
		if k.GroupResource() == corev1.Resource("secrets") {
			return true
		}
	}
	return false
}

// write sends an operation to the API server, and returns its answer; nil for a deletion.
func (p *pass) write(ctx context.Context, k live.Resource, op applyset.Operation) (*krm.Object, error) {
	client := p.server.Client(k, op.Ref.Namespace)
	if op.Action == applyset.ActionDelete || op.Action == applyset.ActionRecreate {
		uid := types.UID(live.UID(op.Old))
		err := live.Remove(ctx, client, op.Ref.Name, metav1.Preconditions{UID: &uid})
		if err == nil {
			p.caches[k].MarkDeleting(op.Old)
		}
		return nil, err
	}
	made, err := live.Write(ctx, client, op)
	switch {
	case live.IsUnknownPath(err):
		p.typeUnknown.Store(true)
	case op.Action != applyset.ActionCreate && (apierrors.IsConflict(err) || apierrors.IsNotFound(err)):
		return nil, live.ErrConflict
	}
	if err != nil {
		return nil, err
	}
	return live.FromUnstructured(made)
}
