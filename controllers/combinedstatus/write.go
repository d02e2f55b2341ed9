package combinedstatus

import (
	"context"
	"encoding/json"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/plan"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

const fieldManager = "waybill-status"

// statusOwners are the resources of the kinds whose status says what is wrong with them.
var statusOwners = map[plan.Target]schema.GroupVersionResource{
	plan.TargetBinding: bindings, plan.TargetCollector: collectors, plan.TargetPolicy: policies,
}

// write writes to the home, on condition that the object is the one that was read. It returns the states that the object had
// since, the last one after the write.
func (r *reconciler) write(ctx context.Context, w *plan.Write) (states []*unstructured.Unstructured, err error) {
	var now *unstructured.Unstructured
	switch w.Target {
	case plan.TargetWorkload:
		in := r.home.Objects.Resource(w.GroupVersionResource).Namespace(w.Object.GetNamespace()) // "": cluster-scoped
		return statusReturn{w, in}.run(ctx)
	case plan.TargetCombinedStatus:
		now, err = r.writeCombined(ctx, w)
	default:
		now, err = patch(ctx, r.home.Objects.Resource(statusOwners[w.Target]), w.Object, map[string]any{"status": w.Status}, "status")
	}
	return []*unstructured.Unstructured{now}, err
}

// writeCombined reads, creates, patches or deletes a CombinedStatus. It returns nil if there is none any more.
func (r *reconciler) writeCombined(ctx context.Context, w *plan.Write) (*unstructured.Unstructured, error) {
	in := r.home.Objects.Resource(combinedStatuses).Namespace(w.Namespace)
	switch w.Verb {
	case plan.Read:
		return live.Get(ctx, in, live.Key{Namespace: w.Namespace, Name: w.Name})
	case plan.Create:
		return in.Create(ctx, w.Object, metav1.CreateOptions{FieldManager: fieldManager})
	case plan.Update:
		now, err := r.home.metadata.Resource(combinedStatuses).Namespace(w.Namespace).Patch(ctx, w.Name, types.JSONPatchType, w.Patch,
			metav1.PatchOptions{FieldManager: fieldManager})
		if err != nil {
			return nil, err
		}
		return live.FromMetadata(now), nil
	}
	uid, version := w.Object.GetUID(), w.Object.GetResourceVersion()
	return nil, client.IgnoreNotFound(in.Delete(ctx, w.Name,
		metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}}))
}

// patch merges fields into an object.
func patch(
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

// statusReturn writes the status and the label of a workload object. The label is written before the status and removed after
// it, so that a status without the label is never ours; a dry run shows before that the API server accepts the status.
type statusReturn struct {
	*plan.Write
	client dynamic.ResourceInterface
}

func (s statusReturn) run(ctx context.Context) ([]*unstructured.Unstructured, error) {
	steps := []func(context.Context, *unstructured.Unstructured) (*unstructured.Unstructured, error){s.writeLabel, s.writeStatus}
	if s.Return.Outcome == writeback.Clear {
		slices.Reverse(steps)
	}
	states := []*unstructured.Unstructured{s.Object}
	for _, step := range steps {
		now, err := step(ctx, states[len(states)-1])
		if err != nil {
			return states, err
		}
		states = append(states, now)
	}
	return states, nil
}

func (s statusReturn) writeLabel(ctx context.Context, now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	labels := plan.LabelPatch(now, s.Return)
	if len(labels) == 0 {
		return now, nil
	}
	if !s.HasStatus && s.Return.Outcome != writeback.Clear {
		if _, err := s.updateStatus(ctx, now, metav1.DryRunAll); err != nil {
			return nil, err
		}
	}
	return patch(ctx, s.client, now, map[string]any{"metadata": map[string]any{"labels": labels}})
}

func (s statusReturn) writeStatus(ctx context.Context, now *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if s.HasStatus {
		return now, nil
	}
	return s.updateStatus(ctx, now)
}

// updateStatus replaces the whole status, by the subresource if the kind has one.
func (s statusReturn) updateStatus(
	ctx context.Context, have *unstructured.Unstructured, dryRun ...string,
) (*unstructured.Unstructured, error) {
	after := have.DeepCopy()
	after.Object["status"] = s.Return.Status
	options := metav1.UpdateOptions{FieldManager: fieldManager, DryRun: dryRun}
	now, err := s.client.UpdateStatus(ctx, after, options)
	if apierrors.IsNotFound(err) { // no subresource, or no object: the update shows which
		now, err = s.client.Update(ctx, after, options)
	}
	return now, err
}
