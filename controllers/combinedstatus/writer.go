package combinedstatus

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

const fieldManager = "waybill-status"

// writer writes to the home. Every write is on condition that the object is the one that was read.
type writer struct {
	objects dynamic.Interface
	now     func() time.Time
}

// combined creates, updates or deletes a CombinedStatus.
func (w *writer) combined(ctx context.Context, verb verb, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	in := w.objects.Resource(combinedStatuses).Namespace(obj.GetNamespace())
	switch verb {
	case create:
		return in.Create(ctx, obj, metav1.CreateOptions{FieldManager: fieldManager})
	case update:
		return in.Update(ctx, obj, metav1.UpdateOptions{FieldManager: fieldManager})
	}
	uid, version := obj.GetUID(), obj.GetResourceVersion()
	return nil, client.IgnoreNotFound(in.Delete(ctx, obj.GetName(),
		metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}}))
}

// status merges fields into the status of a cluster-scoped object.
func (w *writer) status(
	ctx context.Context, resource schema.GroupVersionResource, have *unstructured.Unstructured, fields map[string]any,
) (*unstructured.Unstructured, error) {
	return w.patch(ctx, w.objects.Resource(resource), have, map[string]any{"status": fields}, "status")
}

// patch merges fields into an object.
func (w *writer) patch(
	ctx context.Context, in dynamic.ResourceInterface, have *unstructured.Unstructured, fields map[string]any, subresources ...string,
) (*unstructured.Unstructured, error) {
	metadata, _ := fields["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		fields["metadata"] = metadata
	}
	metadata["resourceVersion"], metadata["uid"] = have.GetResourceVersion(), string(have.GetUID())
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return in.Patch(ctx, have.GetName(), types.MergePatchType, text, metav1.PatchOptions{FieldManager: fieldManager}, subresources...)
}

// returnStatus writes the status and the label of a workload object; with current its status is right already.
// The label is written before the status and removed after it, so that a status without the label is never
// ours; a dry run shows before that the API server accepts the status. It returns the states of the object,
// from have to the last one.
func (w *writer) returnStatus(
	ctx context.Context, resource schema.GroupVersionResource, have *unstructured.Unstructured, d writeback.Decision, current bool,
) ([]*unstructured.Unstructured, error) {
	in := w.objects.Resource(resource).Namespace(have.GetNamespace()) // "": cluster-scoped
	label := func(now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		patch := labelPatch(now, d)
		if len(patch) == 0 {
			return now, nil
		}
		if !current && d.Outcome != writeback.Clear {
			if _, err := w.updateStatus(ctx, in, now, d.Status, metav1.DryRunAll); err != nil {
				return nil, err
			}
		}
		return w.patch(ctx, in, now, map[string]any{"metadata": map[string]any{"labels": patch}})
	}
	status := func(now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if current {
			return now, nil
		}
		return w.updateStatus(ctx, in, now, d.Status)
	}
	steps := []func(*unstructured.Unstructured) (*unstructured.Unstructured, error){label, status}
	if d.Outcome == writeback.Clear {
		slices.Reverse(steps)
	}
	states := []*unstructured.Unstructured{have}
	for _, step := range steps {
		now, err := step(states[len(states)-1])
		if err != nil {
			return states, err
		}
		states = append(states, now)
	}
	return states, nil
}

// updateStatus replaces the whole status, by the subresource if the kind has one.
func (w *writer) updateStatus(
	ctx context.Context, in dynamic.ResourceInterface, have *unstructured.Unstructured, status map[string]any, dryRun ...string,
) (*unstructured.Unstructured, error) {
	after := have.DeepCopy()
	after.Object["status"] = status
	options := metav1.UpdateOptions{FieldManager: fieldManager, DryRun: dryRun}
	now, err := in.UpdateStatus(ctx, after, options)
	if apierrors.IsNotFound(err) { // no subresource, or no object: the update shows which
		now, err = in.Update(ctx, after, options)
	}
	return now, err
}
