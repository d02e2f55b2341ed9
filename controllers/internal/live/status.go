package live

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Fault is why an object is not reconciled, or not all of it, and what ends that.
type Fault struct {
	Reason, Message string
	Stalled         bool // until its spec changes
	Poll            bool // the controller has to check whether it is over
	Notified        bool // a cache notifies the controller when it is over
	Brief           bool // it is over soon: the present status stays
}

// FaultOf returns the fault for an error of a read. forbidden says how to allow what is forbidden.
func FaultOf(err error, forbidden string) *Fault {
	f := &Fault{Reason: waybill.ReasonUnavailable, Message: OneLine(err.Error())}
	switch {
	case errors.Is(err, ErrNotSynced), errors.Is(err, ErrConflict):
		f.Reason, f.Brief = waybill.ReasonProgressing, true
	case errors.Is(err, ErrNotServed), errors.Is(err, ErrOtherScope):
		f.Reason = waybill.ReasonNotServed
	case apierrors.IsForbidden(err):
		f.Reason = waybill.ReasonForbidden
		f.Message += forbidden
	}
	var cached *CacheError
	f.Notified = errors.As(err, &cached) && f.Reason != waybill.ReasonNotServed
	return f
}

// CacheError is the error of a Cache, which notifies its users when it is over.
type CacheError struct{ Err error }

func (e *CacheError) Error() string { return e.Err.Error() }
func (e *CacheError) Unwrap() error { return e.Err }

// Status is the status of an object that a Worker reconciles.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// StatusWriter writes the conditions Ready and Stalled of a worker's object.
type StatusWriter struct {
	Client        dynamic.ResourceInterface
	Log           logr.Logger
	Kind          string // in messages, and in lower case as the key of its name
	Reason, Ready string // of the condition Ready while it is True
}

// Write writes the status for a fault, nil for none, if it differs from the present one. After an error it is written after
// the next reconcile.
func (s *StatusWriter) Write(ctx context.Context, w *Worker, f *Fault) {
	o := w.Object.Load()
	before := statusOf(o)
	if f != nil && f.Brief && meta.FindStatusCondition(before.Conditions, waybill.ConditionReady) != nil {
		return
	}
	after := s.statusFor(before, f, Generation(o))
	old, errOld := json.Marshal(before)
	data, err := json.Marshal(after)
	if err := errors.Join(errOld, err); err != nil || string(old) == string(data) {
		return // a status always has a form
	}
	made, err := s.Client.Patch(ctx, w.Name, types.MergePatchType, []byte(`{"status":`+string(data)+`}`),
		metav1.PatchOptions{FieldManager: FieldManager}, "status")
	if err != nil {
		if ctx.Err() == nil {
			s.Log.Info("the status of a "+s.Kind+" cannot be written", s.key(), w.Name, "reason", err.Error())
		}
		return
	}
	if answer, err := FromUnstructured(made); err == nil {
		w.Object.CompareAndSwap(o, answer) // unless the watch brought a later state
	}
	if f != nil {
		s.Log.Info("a "+s.Kind+" is not reconciled, or not completely", s.key(), w.Name, "reason", f.Reason, "message", f.Message)
	}
}

func (s *StatusWriter) key() string { return strings.ToLower(s.Kind) }

// statusFor is the status for a fault.
func (s *StatusWriter) statusFor(before Status, f *Fault, generation int64) Status {
	after := Status{ObservedGeneration: generation}
	for _, c := range before.Conditions {
		after.Conditions = append(after.Conditions, *c.DeepCopy())
	}
	ready := metav1.Condition{Type: waybill.ConditionReady, Status: metav1.ConditionTrue, Reason: s.Reason, Message: s.Ready}
	stalled := metav1.Condition{Type: waybill.ConditionStalled, Status: metav1.ConditionFalse, Reason: s.Reason,
		Message: "the controller retries as often as necessary"}
	if f != nil {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, f.Reason, f.Message
		stalled.Reason = f.Reason
	}
	if f != nil && f.Stalled {
		stalled.Status, stalled.Message = metav1.ConditionTrue, f.Message
	}
	for _, c := range []metav1.Condition{ready, stalled} {
		c.Message, c.ObservedGeneration = Truncate(c.Message), generation
		SetCondition(&after.Conditions, c, time.Now())
	}
	return after
}

// statusOf is the status of an object; empty if it cannot be read.
func statusOf(o *krm.Object) (s Status) {
	conditions, generation := o.Lookup("status", "conditions"), o.Lookup("status", "observedGeneration")
	if conditions != nil && krm.DecodeNode(conditions, nil, &s.Conditions) != nil ||
		generation != nil && krm.DecodeNode(generation, nil, &s.ObservedGeneration) != nil {
		return Status{}
	}
	return s
}
