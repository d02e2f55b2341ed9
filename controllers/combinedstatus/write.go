package combinedstatus

import (
	"context"
	"encoding/json"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// manager is who we are in the record of who wrote what.
const manager = "waybill-status"

// writer writes to the home. It writes over nothing that it has not seen.
type writer struct {
	objects dynamic.Interface
	now     func() time.Time
}

// combined creates, updates or deletes a CombinedStatus.
func (w *writer) combined(ctx context.Context, verb verb, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	in := w.objects.Resource(combinedStatuses).Namespace(obj.GetNamespace())
	switch verb {
	case create:
		return in.Create(ctx, obj, metav1.CreateOptions{FieldManager: manager})
	case update:
		return in.Update(ctx, obj, metav1.UpdateOptions{FieldManager: manager})
	}
	uid, version := obj.GetUID(), obj.GetResourceVersion()
	err := in.Delete(ctx, obj.GetName(), metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}})
	if apierrors.IsNotFound(err) {
		err = nil
	}
	return nil, err
}

// status changes fields of the status of a cluster-scoped object.
func (w *writer) status(
	ctx context.Context, of schema.GroupVersionResource, have *unstructured.Unstructured, status map[string]any,
) (*unstructured.Unstructured, error) {
	return w.patch(ctx, w.objects.Resource(of), have, map[string]any{"status": status}, "status")
}

// patch merges fields into an object that must be what we have.
func (w *writer) patch(
	ctx context.Context, in dynamic.ResourceInterface, have *unstructured.Unstructured, fields map[string]any, below ...string,
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
	return in.Patch(ctx, have.GetName(), types.MergePatchType, text, metav1.PatchOptions{FieldManager: manager}, below...)
}

// giveBack carries a decision about a workload object out; old says that its status is right already. The
// label comes before a status and goes after it, so that one without the label is never ours; it does not
// come before the API server has said that it would take the status. It returns what the object was, one
// after the other, up to what it is now.
func (w *writer) giveBack(
	ctx context.Context, of schema.GroupVersionResource, have *unstructured.Unstructured, d writeback.Decision, old bool,
) ([]*unstructured.Unstructured, error) {
	var in dynamic.ResourceInterface = w.objects.Resource(of)
	if namespace := have.GetNamespace(); namespace != "" {
		in = w.objects.Resource(of).Namespace(namespace)
	}
	steps := []func(*unstructured.Unstructured) (*unstructured.Unstructured, error){
		func(now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
			patch := labelPatch(now, d)
			if len(patch) == 0 {
				return now, nil
			}
			if !old && d.Outcome != writeback.Clear {
				if _, err := w.setStatus(ctx, in, now, d.Status, metav1.DryRunAll); err != nil {
					return nil, err
				}
			}
			return w.patch(ctx, in, now, map[string]any{"metadata": map[string]any{"labels": patch}})
		},
		func(now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
			if old {
				return now, nil
			}
			return w.setStatus(ctx, in, now, d.Status)
		},
	}
	if d.Outcome == writeback.Clear {
		steps[0], steps[1] = steps[1], steps[0]
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

// setStatus replaces the whole status: of kinds that have it apart, there.
func (w *writer) setStatus(
	ctx context.Context, in dynamic.ResourceInterface, have *unstructured.Unstructured, status map[string]any, dry ...string,
) (*unstructured.Unstructured, error) {
	after := have.DeepCopy()
	after.Object["status"] = status
	how := metav1.UpdateOptions{FieldManager: manager, DryRun: dry}
	now, err := in.UpdateStatus(ctx, after, how)
	if apierrors.IsNotFound(err) { // no status apart, or no object: that shows now
		now, err = in.Update(ctx, after, how)
	}
	return now, err
}
