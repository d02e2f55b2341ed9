package plan

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// stored is a state of a CombinedStatus in the API server. A later state is another stored.
type stored struct {
	// object has metadata alone, unless whole is set.
	object *unstructured.Unstructured
	whole  bool
	// known says that it has these results: they were written, or found there.
	known   bool
	results []control.NamedStatusCombination
}

// with returns the same state without the whole object, of which the results are known.
func (s *stored) with(results []control.NamedStatusCombination) *stored {
	return &stored{object: metadataOf(s.object), known: true, results: results}
}

// unread reports whether another client changed the object, so that it has to be read.
func (s *stored) unread() bool { return !s.whole && !s.known }

func (s *stored) isVersion(obj *unstructured.Unstructured) bool {
	version := obj.GetResourceVersion()
	return version != "" && version == s.object.GetResourceVersion() && obj.GetUID() == s.object.GetUID()
}

// metadataOf returns an object without its other fields, and without managed fields.
func metadataOf(obj *unstructured.Unstructured) *unstructured.Unstructured {
	out := map[string]any{}
	for _, field := range []string{"apiVersion", "kind", "metadata"} {
		out[field] = obj.Object[field]
	}
	return withoutManagedFields(&unstructured.Unstructured{Object: out})
}

// SetCombined adds or replaces a CombinedStatus; nil deletes it. An object with metadata alone, a PartialObjectMetadata, shows
// only that another client changed the object, unless it is the state that the caller wrote or read last.
func (s *State) SetCombined(name types.NamespacedName, obj *unstructured.Unstructured) error {
	if obj == nil {
		delete(s.combined, name)
		s.requestCombined(name)
		return nil
	}
	whole := obj.GetKind() != "PartialObjectMetadata"
	if have := s.combined[name]; have != nil && have.isVersion(obj) && !whole {
		return nil
	}
	s.combined[name] = &stored{object: withoutManagedFields(obj), whole: whole}
	s.requestCombined(name)
	return nil
}

// setRead puts a CombinedStatus as it was read, nil for none, unless an event brought another state.
func (s *State) setRead(name types.NamespacedName, have *stored, now *unstructured.Unstructured) {
	current := s.combined[name]
	switch {
	case now == nil && current == have:
		delete(s.combined, name)
	case now != nil && current != nil && (current == have || current.isVersion(now)):
		s.combined[name] = &stored{object: withoutManagedFields(now), whole: true}
	}
}

// setWritten notes what was written, unless an event brought a newer state. Its own event may have come before.
func (s *State) setWritten(
	name types.NamespacedName, have *stored, now *unstructured.Unstructured, results []control.NamedStatusCombination,
) {
	if current := s.combined[name]; current == have || current != nil && current.isVersion(now) {
		s.combined[name] = (&stored{object: now}).with(results)
	}
}
