package plan

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// Verb is what is done to an object.
type Verb string

// The verbs.
const (
	nothing Verb = ""
	Create  Verb = "create"
	Update  Verb = "update"
	Delete  Verb = "delete"
)

// Write is a write that is due, on condition that the object is as it was read.
type Write struct {
	Request
	Verb Verb
	// Object is a CombinedStatus as it should be, or any other object as it was read.
	Object *unstructured.Unstructured
	// Status has the fields to merge into the status of a Binding, StatusCollector or BindingPolicy.
	Status map[string]any
	// Return is what a workload object gets.
	Return writeback.Decision
	// HasStatus says that a workload object has the status already: only its labels change.
	HasStatus bool

	done     func(states []*unstructured.Unstructured)
	rejected func() (help string)
}

// Done puts the object into the state as the API server has it after the write, nil for a deleted one. A write of several
// requests passes the states between, too, from the object as it was read.
func (w *Write) Done(states ...*unstructured.Unstructured) { w.done(states) }

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

func (s *State) planCombined(r Request) (*Write, error) {
	name := types.NamespacedName{Namespace: r.Namespace, Name: r.Name}
	have := s.combined[name]
	desired, _ := s.Engine.Desired(name)
	verb, obj, err := compareCombined(have, desired.Object, have != nil && s.isUndecided(name, have))
	if err != nil || verb == nothing {
		return nil, err
	}
	return &Write{Request: r, Verb: verb, Object: obj, done: func(states []*unstructured.Unstructured) {
		if now := states[len(states)-1]; now != nil && s.combined[name] == have { // otherwise an event brought a newer one
			s.combined[name] = withoutManagedFields(now)
		}
	}}, nil
}

// isUndecided reports whether the engine has not decided yet about a CombinedStatus, which is then requested again after the
// decision.
func (s *State) isUndecided(name types.NamespacedName, have *unstructured.Unstructured) bool {
	key := engine.ResultKeyOf(have.GetLabels())
	is := s.Engine.Undecided(key)
	if is && !slices.Contains(s.undecided[key], name) {
		s.undecided[key] = append(s.undecided[key], name)
	}
	return is
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
