package plan

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// returnedStatus is a status that was written, and what the API server stored: one that knows the kind drops unknown fields,
// and zeros.
type returnedStatus struct{ sent, stored any }

// rejection is a status that the API server found invalid, for an object in this state.
type rejection struct {
	sent, had  any
	generation int64
}

// holds reports whether neither the object nor the desired status has changed since.
func (r rejection) holds(obj *unstructured.Unstructured, d writeback.Decision) bool {
	return r.sent != nil && equal(r.sent, d.Status) && equal(r.had, obj.Object["status"]) && r.generation == obj.GetGeneration()
}

// planReturn returns the write of the status and the label of a workload object; nil for none. After a rejection the object
// also keeps its label until the API server would accept the status.
func (s *State) planReturn(r Request) *Write {
	ref := r.ObjectRef
	have, d, changes := s.Engine.Return(ref)
	if !changes {
		return nil
	}
	obj := &unstructured.Unstructured{Object: have}
	hasStatus := s.hasStatus(ref, obj, d)
	if hasStatus && len(LabelPatch(obj, d)) == 0 || s.rejected[ref].holds(obj, d) {
		return nil
	}
	return &Write{Request: r, Verb: Update, Object: obj, Return: d, HasStatus: hasStatus,
		done: func(states []*unstructured.Unstructured) {
			delete(s.rejected, ref)
			if !hasStatus {
				s.returned[ref] = returnedStatus{d.Status, states[len(states)-1].Object["status"]}
			}
			s.putWritten(ref, states)
		},
		rejected: func() (help string) {
			s.rejected[ref] = rejection{d.Status, obj.Object["status"], obj.GetGeneration()}
			if d.Outcome == writeback.Aggregate {
				return "a counter that a cluster leaves out is ignored; with --status-strict-counters it counts as 0"
			}
			return ""
		}}
}

// putWritten puts the last state of an object into the engine, unless an event brought a newer one.
func (s *State) putWritten(ref engine.ObjectRef, states []*unstructured.Unstructured) {
	for _, state := range states {
		if state.GetResourceVersion() == s.Engine.ResourceVersion(ref) {
			s.Engine.PutObject(ref.GroupVersionResource, withoutManagedFields(states[len(states)-1]).Object)
			return
		}
	}
}

// hasStatus reports whether an object has the desired status, or what the API server stored for it. If this process has not
// written it, it may be what a server that knows the kind stores for it.
func (s *State) hasStatus(ref engine.ObjectRef, obj *unstructured.Unstructured, d writeback.Decision) bool {
	have, last := obj.Object["status"], s.returned[ref]
	if last.sent != nil && equal(last.sent, d.Status) && equal(last.stored, have) || equal(have, d.Status) {
		return true
	}
	builtIn := !strings.Contains(ref.Group, ".") // groups of custom resources have a dot
	return last.sent == nil && d.Label != "" && len(LabelPatch(obj, d)) == 0 && builtIn && equalButEmpty(have, d.Status)
}

// LabelPatch has the labels of an object that must change.
func LabelPatch(obj *unstructured.Unstructured, d writeback.Decision) map[string]any {
	labels, patch := obj.GetLabels(), map[string]any{}
	for _, drop := range d.Drop {
		if _, is := labels[drop]; is {
			patch[drop] = nil
		}
	}
	if d.Label != "" && labels[d.Label] != writeback.LabelValue {
		patch[d.Label] = writeback.LabelValue
	}
	return patch
}
