package syncing

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// errFaster says that somebody else wrote meanwhile: the next look sees what.
var errFaster = errors.New("another client changed it meanwhile; it is read again")

// do does one operation on a copy.
func (l *look) do(ctx context.Context, op correspond.Operation) error {
	if op.Action == correspond.ActionKeep {
		l.ledger.note(op)
		return nil
	}
	k, is := l.kindOf(op.Ref)
	if !is {
		return fmt.Errorf("%s %s: it is of no type that is known here any more; delete it yourself", op.Action, op.Ref)
	}
	if op.Action == correspond.ActionDelete {
		if err := l.doubt(ctx, op); err != nil {
			return err
		}
	}
	answer, err := l.send(ctx, k, op)
	l.meters.operation(l.name, op.Action, err)
	if err != nil {
		return l.explain(fmt.Sprintf("%s %s", op.Action, op.Ref), op.Ref.ID, err)
	}
	if answer != nil && op.Old != nil && resourceVersion(answer) == resourceVersion(op.Old) {
		return fmt.Errorf("%s %s: the API server took it and changed nothing: it drops fields, or sets them back", op.Action, op.Ref)
	}
	l.ledger.note(op)
	l.worked = true
	l.sayDone(op)
	return nil
}

// sayDone tells the consumer what became of a primary, or of what is related to it.
func (l *look) sayDone(op correspond.Operation) {
	what := "the copy"
	if op.Edge != "primary" {
		what = "a copy of " + op.Edge
	}
	switch op.Action {
	case correspond.ActionCreate, correspond.ActionAdopt:
		l.at.say(l.source(), eventPlaced, what+" was made")
	case correspond.ActionDelete:
		l.at.say(l.source(), eventCleanup, what+" goes")
	default:
		l.at.say(l.source(), eventSynced, what+" was changed")
	}
}

// explain is an error with what it is about. What an API server says of a Secret may hold its values.
func (l *look) explain(what string, id krm.ID, err error) error {
	switch {
	case errors.Is(err, errFaster):
		return err
	case id.Group == "" && id.Kind == "Secret":
		return fmt.Errorf("%s: %s", what, reasonOf(err))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// reasonOf is as much of what an API server says as holds no values.
func reasonOf(err error) string {
	if reason := apierrors.ReasonForError(err); reason != "" {
		return string(reason)
	}
	return "the API server did not answer"
}

// kindOf is the type of a copy.
func (l *look) kindOf(ref correspond.Ref) (kind, bool) {
	role := roleKey{ref.Place != "", schema.GroupKind{Group: ref.Group, Kind: ref.Kind}}
	if k, is := l.ready.resources[role]; is {
		return k, true
	}
	k, is := l.forgotten[role]
	return k, is
}

// doubt asks for an origin that is not there, before its copy goes for that. One that is there after all is looked at.
func (l *look) doubt(ctx context.Context, op correspond.Operation) error {
	cluster, id, err := correspond.ParseKey(op.Key)
	if err != nil || op.Key == l.key {
		return nil
	}
	k, is := l.ready.resources[roleKey{cluster != "", schema.GroupKind{Group: id.Group, Kind: id.Kind}}]
	on := l.server(cluster)
	if !is || on == nil {
		return nil
	}
	sh := l.ready.shelf(cluster, k)
	if sh == nil || sh.get(at{id.Namespace, id.Name}) != nil {
		return nil
	}
	o, err := on.confirm(ctx, k, at{id.Namespace, id.Name})
	if err != nil {
		return fmt.Errorf("ask for %s: %w", op.Key, err)
	}
	if o != nil {
		sh.put(o, false, l.worker)
		return errFaster
	}
	return nil
}

// send asks an API server to do an operation, and takes down what it made of the object.
func (l *look) send(ctx context.Context, k kind, op correspond.Operation) (answer *krm.Object, err error) {
	on := l.server(op.Ref.Place)
	sh := l.ready.shelf(op.Ref.Place, k)
	if sh != nil {
		end := sh.begin(at{op.Ref.Namespace, op.Ref.Name})
		defer func() { end(answer, l.worker) }()
	}
	resource := on.resource(k, op.Ref.Namespace)
	if op.Action == correspond.ActionDelete {
		if err := remove(ctx, resource, op.Old); err != nil {
			return nil, err
		}
		if sh != nil {
			sh.dying(op.Old)
		}
		return nil, nil
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
	} else {
		made, err = resource.Update(ctx, u, metav1.UpdateOptions{FieldManager: manager})
	}
	switch {
	case apierrors.IsAlreadyExists(err):
		return l.meet(ctx, on, k, op)
	case apierrors.IsConflict(err), apierrors.IsNotFound(err) && !isUnknownPath(err):
		return nil, errFaster
	case err != nil:
		return nil, err
	}
	return objectOf(made)
}

// meet takes in an object that stands where one was to be made.
func (l *look) meet(ctx context.Context, on *server, k kind, op correspond.Operation) (*krm.Object, error) {
	o, err := on.confirm(ctx, k, at{op.Ref.Namespace, op.Ref.Name})
	if err != nil || o == nil {
		return nil, errFaster
	}
	return o, errFaster
}

// isUnknownPath reports whether the API server does not know the type, at least not with this scope, or the
// namespace of the object.
func isUnknownPath(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// remove deletes the very object that was seen, as it was. That it is gone already is as well.
func remove(ctx context.Context, in dynamic.ResourceInterface, o *krm.Object) error {
	uid, version, how := types.UID(uidOf(o)), resourceVersion(o), metav1.DeletePropagationBackground
	err := in.Delete(ctx, o.Name(), metav1.DeleteOptions{PropagationPolicy: &how,
		Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		return errFaster
	}
	return err
}

// confirm asks for one object as it is now; nil when there is none. It needs no other right than to follow all. That
// there is no such type is an error: it says nothing of its objects.
func (s *server) confirm(ctx context.Context, k kind, where at) (*krm.Object, error) {
	list, err := s.resource(k, where[0]).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + where[1]})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		if list.Items[i].GetName() == where[1] && list.Items[i].GetNamespace() == where[0] {
			return objectOf(&list.Items[i])
		}
	}
	return nil, nil
}
