package plan

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

func (s *State) planCombined(r Request) (*Write, error) {
	name := types.NamespacedName{Namespace: r.Namespace, Name: r.Name}
	have := s.combined[name]
	d, _ := s.Engine.Desired(name)
	w := &Write{Request: r, Verb: combinedVerb(have, d.Object, have != nil && s.isUndecided(name, have))}
	var err error
	switch w.Verb {
	case nothing:
		return nil, nil
	case Create:
		w.Object, err = toUnstructured(d.Object)
	case Update:
		w.Patch, err = combinedPatch(have, d.Object)
		if err == nil && w.Patch == nil {
			s.combined[name] = have.with(d.Object.Results)
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	s.bindCombined(w, name, have, d.Object)
	return w, nil
}

// bindCombined sets the object of a write, unless it is a new one, and what follows from the answer of the API server.
func (s *State) bindCombined(w *Write, name types.NamespacedName, have *stored, want *control.CombinedStatus) {
	if have != nil {
		w.Object = have.object
	}
	w.outdated = func() {
		if current := s.combined[name]; current != nil && current == have {
			s.combined[name] = &stored{object: metadataOf(have.object)}
		}
	}
	w.done = func(states []*unstructured.Unstructured) {
		switch now := states[len(states)-1]; {
		case w.Verb == Read:
			s.setRead(name, have, now)
		case now != nil: // the event of a deletion comes
			s.setWritten(name, have, now, want.Results)
		}
	}
}

// combinedVerb returns how a CombinedStatus becomes the desired one; either may be nil. One that is not desired stays if it
// is not ours, or if keep is set. Update means that they have to be compared.
func combinedVerb(have *stored, want *control.CombinedStatus, keep bool) Verb {
	switch {
	case have == nil && want == nil || have != nil && have.object.GetDeletionTimestamp() != nil:
		return nothing
	case have == nil:
		return Create
	case want == nil && (keep || !hasOurLabels(have.object)):
		return nothing
	case want == nil:
		return Delete
	case have.unread():
		return Read
	}
	return Update
}

// combinedPatch returns the JSON patch that makes the desired CombinedStatus of a stored one; nil if it is that already.
// Labels and annotations of other clients stay. The API server refuses the patch if the object has changed.
func combinedPatch(have *stored, want *control.CombinedStatus) ([]byte, error) {
	patch := metadataPatch(have.object, want)
	if have.known {
		patch = append(patch, resultsPatch(have.results, want.Results)...)
	} else if same, err := sameResults(have.object.Object["results"], want.Results); err != nil {
		return nil, named(want, err)
	} else if !same {
		patch = append(patch, replaceList("/results", want.Results))
	}
	if len(patch) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(append([]operation{unchanged(have.object)}, patch...))
	return text, named(want, err)
}

// isUndecided reports whether the engine has not decided yet about a CombinedStatus, which is then requested again after the
// decision.
func (s *State) isUndecided(name types.NamespacedName, have *stored) bool {
	key := engine.ResultKeyOf(have.object.GetLabels())
	is := s.Engine.Undecided(key)
	if is && !slices.Contains(s.undecided[key], name) {
		s.undecided[key] = append(s.undecided[key], name)
	}
	return is
}
