package engine

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// subjectKey is an object under a Binding.
type subjectKey struct {
	binding string
	ref     ObjectRef
}

func (k subjectKey) compare(b subjectKey) int {
	return cmp.Or(cmp.Compare(k.binding, b.binding), k.ref.Compare(b.ref))
}

// resultKey is what the labels of the CombinedStatus say.
func (k subjectKey) resultKey() ResultKey { return ResultKey{k.binding, k.ref.withoutVersion()} }

// subject is the object of a CombinedStatus under a Binding, with the rows of its collectors.
type subject struct {
	subjectKey
	about        status.Subject
	id           reports.Identity
	collectors   []string
	destinations []string       // sorted
	object       map[string]any // nil: there is none
	tables       map[*status.Program]*table
	changed      map[string]struct{}  // destinations whose rows are stale in all tables
	stale        bool                 // it waits to be evaluated
	decided      bool                 // it was evaluated since about changed
	name         types.NamespacedName // of the desired CombinedStatus
	desired      Desired
}

// markChanged marks the rows of a cluster as stale, and reports whether the cluster is a destination.
func (s *subject) markChanged(cluster string) bool {
	_, is := slices.BinarySearch(s.destinations, cluster)
	if is {
		s.changed[cluster] = struct{}{}
	}
	return is
}

// setObject replaces the object, on which all rows depend.
func (s *subject) setObject(obj map[string]any) {
	s.object, s.tables = obj, nil
	s.about.UID = metadataString(obj, "uid")
}

// update applies a Binding and a kind, and reports whether anything changes.
func (s *subject) update(b *Binding, o BoundObject, k *kind) bool {
	before := *s
	s.id = s.ref.identity(k.name)
	s.collectors = slices.Compact(slices.Sorted(slices.Values(o.Collectors)))
	if obj := k.objects[s.ref.key()]; !sameVersion(obj, s.object) || s.id != before.id {
		s.setObject(obj)
	}
	s.about = status.Subject{
		Group: o.Group, Version: o.Version, Kind: k.name, Resource: o.Resource, Namespace: o.Namespace, Name: o.Name,
		UID: s.about.UID, Policy: b.Name, PolicyUID: b.PolicyUID,
	}
	moved := s.setDestinations(b.Destinations)
	return moved || s.tables == nil || s.about != before.about || !slices.Equal(s.collectors, before.collectors)
}

// setDestinations reports whether the destinations change.
func (s *subject) setDestinations(destinations []string) bool {
	if slices.Equal(s.destinations, destinations) {
		return false
	}
	before := s.destinations
	s.destinations = destinations
	for _, cluster := range before {
		if _, stays := slices.BinarySearch(destinations, cluster); !stays {
			delete(s.changed, cluster)
			for _, t := range s.tables {
				t.delete(cluster)
			}
		}
	}
	for _, cluster := range destinations {
		if _, was := slices.BinarySearch(before, cluster); !was {
			s.changed[cluster] = struct{}{}
		}
	}
	return true
}

// combine makes results of the rows.
func (s *subject) combine(programs []*status.Program) (results []control.NamedStatusCombination, warnings []status.Warning) {
	for _, p := range programs {
		result, warned := s.tables[p].rows.Combine()
		warned = slices.DeleteFunc(warned, func(w status.Warning) bool { return w.Mild })
		results, warnings = append(results, result), append(warnings, warned...)
	}
	return results, warnings
}
