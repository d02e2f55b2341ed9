package live

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ErrConflict means that another client wrote between a read and a write.
var ErrConflict = errors.New("another client changed the object meanwhile; the controller reads it again")

// IsUnknownPath reports whether an API server does not know a type, or not with this scope, or not the namespace of an
// object.
func IsUnknownPath(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// Write creates or updates the object of an operation. It returns the API server's answer.
func Write(ctx context.Context, client dynamic.ResourceInterface, op applyset.Operation) (*unstructured.Unstructured, error) {
	wanted := op.New
	if op.Action == applyset.ActionCreate {
		wanted = wanted.DeepCopy()
		wanted.RemoveAnnotations(krm.BelongsToPackage) // a cluster has no files
	}
	u, err := ToUnstructured(wanted)
	if err != nil {
		return nil, err
	}
	if op.Action == applyset.ActionCreate {
		return client.Create(ctx, u, metav1.CreateOptions{FieldManager: FieldManager})
	}
	return client.Update(ctx, u, metav1.UpdateOptions{FieldManager: FieldManager})
}

// Remove deletes an object on condition that it is the one that was read. It succeeds if the object does not exist.
func Remove(ctx context.Context, client dynamic.ResourceInterface, name string, condition metav1.Preconditions) error {
	background := metav1.DeletePropagationBackground
	err := client.Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background, Preconditions: &condition})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		return ErrConflict
	}
	return err
}

// SetFinalizer adds a finalizer to an object that has not changed since it was read, or removes it. It returns the API
// server's answer; nil if the object no longer exists.
func SetFinalizer(
	ctx context.Context, client dynamic.ResourceInterface, o *krm.Object, finalizer string, on bool,
) (*krm.Object, error) {
	all := slices.DeleteFunc(o.Finalizers(), func(f string) bool { return f == finalizer })
	if on {
		all = append(all, finalizer)
	}
	return PatchMetadata(ctx, client, o, map[string]any{"finalizers": all})
}

// PatchMetadata merges fields into the metadata of an object that has not changed since it was read. It returns the API
// server's answer; nil if the object no longer exists.
func PatchMetadata(
	ctx context.Context, client dynamic.ResourceInterface, o *krm.Object, fields map[string]any,
) (*krm.Object, error) {
	fields["resourceVersion"], fields["uid"] = ResourceVersion(o), UID(o)
	data, err := json.Marshal(map[string]any{"metadata": fields})
	if err != nil {
		return nil, err
	}
	made, err := client.Patch(ctx, o.Name(), types.MergePatchType, data, metav1.PatchOptions{FieldManager: FieldManager})
	switch {
	case apierrors.IsConflict(err):
		return nil, ErrConflict
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return FromUnstructured(made)
}
