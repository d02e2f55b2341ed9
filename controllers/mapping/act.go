package mapping

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// errFaster says that somebody else wrote meanwhile: the next pass sees what.
var errFaster = errors.New("another client changed it meanwhile; it is read again")

// do does one operation.
func (p *pass) do(ctx context.Context, op correspond.Operation) error {
	k, is := p.outputKind(op.Ref.ID)
	switch {
	case op.Action == correspond.ActionKeep:
		return nil
	case !is: // the plan has operations on outputs of a type that was taken off the list
		return fmt.Errorf("%s %s: it is of no output type any more; delete it yourself, or put the type back", op.Action, op.Ref)
	}
	name := op.Ref.String()
	end := p.shelves[k].begin(at{op.Ref.Namespace, op.Ref.Name})
	answer, err := p.send(ctx, k, op)
	end(answer, nil)
	p.meters.operation(p.name, op.Action, err)
	if err == nil || errors.Is(err, errFaster) {
		return err
	}
	if p.seesSecrets() && op.Old == nil {
		name = op.Ref.Kind + " (its name may be secret)"
	}
	return fmt.Errorf("%s %s: %w", op.Action, name, p.discreet(err))
}

// discreet is an error of the API server without its words where these may hold values of Secrets.
func (p *pass) discreet(err error) error {
	if !p.seesSecrets() || errors.Is(err, errFaster) {
		return err
	}
	return errors.New(string(apierrors.ReasonForError(err)))
}

// seesSecrets reports whether hooks of the MapController are shown Secrets.
func (p *pass) seesSecrets() bool {
	is := func(k kind) bool { return k.Group == "" && k.Resource == "secrets" }
	for k := range p.shelves {
		if is(k) {
			return true
		}
	}
	return false
}

// outputKind is the type of an output.
func (p *pass) outputKind(id krm.ID) (kind, bool) {
	plural := p.ready.types.Lookup(id.Group, id.Kind).Plural
	for k, r := range p.ready.roles {
		if r.output && k.Group == id.Group && k.Resource == plural {
			return k, true
		}
	}
	return kind{}, false
}

// send asks the API server to do an operation, and returns what it made of the object; nil when it goes.
func (p *pass) send(ctx context.Context, k kind, op correspond.Operation) (*krm.Object, error) {
	resource := p.resource(k, op.Ref.Namespace)
	if op.Action == correspond.ActionDelete || op.Action == correspond.ActionRecreate {
		return nil, p.remove(ctx, k, op)
	}
	wanted := op.New
	if op.Action == correspond.ActionCreate {
		wanted = wanted.DeepCopy()
		wanted.RemoveAnnotations(krm.BelongsToPackage) // a cluster has no files
	}
	u, err := sendable(wanted)
	if err != nil {
		return nil, err
	}
	var made *unstructured.Unstructured
	if op.Action == correspond.ActionCreate {
		made, err = resource.Create(ctx, u, metav1.CreateOptions{FieldManager: manager})
	} else if made, err = resource.Update(ctx, u, metav1.UpdateOptions{FieldManager: manager}); apierrors.IsConflict(err) ||
		apierrors.IsNotFound(err) && !isUnknownPath(err) {
		return nil, errFaster
	}
	if isUnknownPath(err) {
		p.lock.Lock()
		p.astray = true
		p.lock.Unlock()
	}
	if err != nil {
		return nil, err
	}
	return objectOf(made)
}

// isUnknownPath reports whether the API server does not know the type, at least not with this scope.
func isUnknownPath(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// manager is the name under which fields are written.
const manager = "waybill"

// remove deletes the very object that was seen. That it is gone already is as well.
func (p *pass) remove(ctx context.Context, k kind, op correspond.Operation) error {
	uid, how := types.UID(uidOf(op.Old)), metav1.DeletePropagationBackground
	o := metav1.DeleteOptions{PropagationPolicy: &how, Preconditions: &metav1.Preconditions{UID: &uid}}
	err := p.resource(k, op.Ref.Namespace).Delete(ctx, op.Ref.Name, o)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		return errFaster
	case err == nil:
		p.shelves[k].dying(op.Old)
	}
	return err
}

func isForbidden(err error) bool { return apierrors.IsForbidden(err) }
