package mapping

import (
	"context"
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// describe writes into the MapController how it gets on, if that is something else than it says. One that
// cannot be written is written with the next pass.
func (w *worker) describe(ctx context.Context, f *fault) {
	o := w.object.Load()
	if o == nil {
		return
	}
	before := statusOf(o)
	if f != nil && f.brief && meta.FindStatusCondition(before.Conditions, waybill.ConditionReady) != nil {
		return // soon there is more to tell
	}
	after := before.DeepCopy()
	w.conditions(after, f, generation(o))
	if same(before, after) {
		return
	}
	data, err := json.Marshal(map[string]any{"status": after})
	if err != nil {
		w.options.Log.Error(err, "the status of a MapController cannot be written", "mapcontroller", w.name)
		return
	}
	made, err := w.server.Objects.Resource(mapControllers).Patch(ctx, w.name, types.MergePatchType, data,
		metav1.PatchOptions{FieldManager: manager}, "status")
	if err != nil {
		if ctx.Err() == nil {
			w.options.Log.Info("the status of a MapController cannot be written", "mapcontroller", w.name, "reason", err.Error())
		}
		return
	}
	if answer, err := objectOf(made); err == nil {
		w.object.CompareAndSwap(o, answer) // unless the API server told more already
	}
	if f != nil {
		w.options.Log.Info("a MapController is not worked, or not all of it", "mapcontroller", w.name, "reason", f.reason, "message", f.message)
	}
}

// conditions are what a fault says; nil is none.
func (w *worker) conditions(s *waybill.MapControllerStatus, f *fault, generation int64) {
	s.ObservedGeneration = generation
	readiness := metav1.Condition{Type: waybill.ConditionReady, Status: metav1.ConditionTrue, Reason: waybill.ReasonMapping,
		Message: "all parents are mapped"}
	stalled := metav1.Condition{Type: waybill.ConditionStalled, Status: metav1.ConditionFalse, Reason: readiness.Reason,
		Message: "it is tried as often as need be"}
	if f != nil {
		readiness.Status, readiness.Reason, readiness.Message = metav1.ConditionFalse, f.reason, f.message
		stalled.Reason = f.reason
	}
	if f != nil && f.stalled {
		stalled.Status, stalled.Message = metav1.ConditionTrue, f.message
	}
	for _, c := range []metav1.Condition{readiness, stalled} {
		c.Message, c.ObservedGeneration = bounded(c.Message), generation
		c.LastTransitionTime = metav1.NewTime(time.Now().Truncate(time.Second))
		meta.SetStatusCondition(&s.Conditions, c)
	}
}

// statusOf is what a MapController says of itself; what cannot be read counts as nothing.
func statusOf(o *krm.Object) *waybill.MapControllerStatus {
	s := &waybill.MapControllerStatus{}
	if n := o.Lookup("status"); n != nil && krm.DecodeNode(n, nil, s) != nil {
		return &waybill.MapControllerStatus{}
	}
	return s
}

func generation(o *krm.Object) (n int64) {
	if v, err := krm.Value(o.Lookup("metadata", "generation")); err == nil {
		n, _ = v.(int64)
	}
	return n
}

func same(a, b *waybill.MapControllerStatus) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
