package plan

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// Verb is what is done to an object.
type Verb string

// The verbs.
const (
	nothing Verb = ""
	Read    Verb = "read" // another client changed it: plan again after it was read
	Create  Verb = "create"
	Update  Verb = "update"
	Delete  Verb = "delete"
)

// Write is a write that is due, on condition that the object is as it was read.
type Write struct {
	Request
	Verb Verb
	// Object is the object as it was read, a new CombinedStatus as it should be. An existing one may have metadata alone.
	Object *unstructured.Unstructured
	// Patch is the JSON patch of an existing CombinedStatus. It fails if the object has changed.
	Patch []byte
	// Status has the fields to merge into the status of a Binding, StatusCollector or BindingPolicy.
	Status map[string]any
	// Return is what a workload object gets.
	Return writeback.Decision
	// HasStatus says that a workload object has the status already: only its labels change.
	HasStatus bool

	done     func(states []*unstructured.Unstructured)
	outdated func()
	rejected func() (help string)
}

// Done puts the object into the state as the API server has it after the write, nil for a deleted one; of a CombinedStatus
// that was written, the metadata is enough. A write of several requests passes the states between, too, from the object as it was
// read.
func (w *Write) Done(states ...*unstructured.Unstructured) { w.done(states) }

// Outdated notes that another client changed the object before the write.
func (w *Write) Outdated() {
	if w.outdated != nil {
		w.outdated()
	}
}

// Rejected notes that the API server finds the object invalid, and returns what may help, if anything; false where that is
// an error like others. The write is not due again before something changes.
func (w *Write) Rejected() (help string, ok bool) {
	if w.rejected == nil {
		return "", false
	}
	return w.rejected(), true
}

// Plan returns the write that a request needs; nil for none.
func (s *State) Plan(r Request, now time.Time) (*Write, error) {
	switch r.Target {
	case TargetCombinedStatus:
		return s.planCombined(r)
	case TargetWorkload:
		return s.planReturn(r), nil
	}
	return s.planStatus(r, now)
}

// planStatus is for the kinds whose status says what is wrong with them.
func (s *State) planStatus(r Request, now time.Time) (*Write, error) {
	known := s.objects[r.Target]
	have := known[r.Name]
	if have == nil || r.Target == TargetBinding && s.unreadable.Has(r.Name) {
		return nil, nil
	}
	patch, err := s.statusPatch(r, have, now)
	if patch == nil || err != nil {
		return nil, err
	}
	return &Write{Request: r, Verb: Update, Object: have, Status: patch, done: func(states []*unstructured.Unstructured) {
		if known[r.Name] == have { // otherwise an event brought a newer one
			known[r.Name] = withoutManagedFields(states[len(states)-1])
		}
	}}, nil
}

func (s *State) statusPatch(r Request, have *unstructured.Unstructured, now time.Time) (map[string]any, error) {
	switch r.Target {
	case TargetBinding:
		return conditionPatch(have, s.Engine.Condition(r.Name), now)
	case TargetPolicy:
		text, sure := s.Engine.PolicyError(r.Name)
		return policyErrorPatch(have, text, sure), nil
	}
	errs := s.Engine.CollectorErrors(r.Name)
	if why := s.decodeErrors[r.Name]; why != "" {
		errs = []string{why}
	}
	return errorsPatch(have, errs), nil
}
